"""The compiled core: dense integers and bytes, checked by the face."""
