"""A web page for people: play, look at answers while they grow, set up positions, solve puzzles (extra `web`)."""
