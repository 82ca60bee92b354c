"""Go Nuts for Donuts: one position (rules: docs/games/donuts.md)."""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from ninefold.core.rules cimport MAX_PLAYERS, Bag


cdef enum:
    KINDS = 24              # kinds of card a ruleset may have
    COPIES = 32             # copies of one kind, exclusive
    CARDS = 128             # cards of a deck
    WORTHS = 16             # values 0 .. 15 of a frozen Coffee
    ITEMS = KINDS + WORTHS  # what a player can point at among cards held: a kind, or a Coffee with its value
    RETURNED = 16           # cards put back by Double Chocolate at one end of the deck
    CHOICES = 3             # Day-Old and Milk: number of cards
    NONE = 255              # no card, no choice
    SECRET = 254            # a card or choice that the owner of this view does not know

cdef enum Phase:
    REFILL                  # chance: the first empty place
    BID                     # everybody chooses a place
    DRAW                    # chance: the card that Chocolate Frosted takes
    DRAW_TWO                # chance: the cards of Double Chocolate
    CHOOSE                  # `actor` decides about `power`
    PASS                    # Cinnamon Twist: everybody with cards passes one
    OVER

cdef enum Power:
    NO_POWER
    CHOCOLATE_FROSTED
    ECLAIR
    FRENCH_CRULLER
    SPRINKLED
    DOUBLE_CHOCOLATE
    RED_VELVET
    BEAR_CLAW
    DAY_OLD
    CINNAMON_TWIST
    MILK
    STRAWBERRY_GLAZED
    RASPBERRY_FROSTED
    POWERS

ctypedef struct Donuts:
    Bag bag                         # cards nobody has seen; of one kind always those with the highest numbers
    uint64_t coffee[MAX_PLAYERS]    # frozen Coffees held: four bits v count those worth v points
    uint8_t held[MAX_PLAYERS][KINDS]    # cards of each kind held
    uint8_t row[8]                  # kind by place, NONE where empty
    uint8_t bid[8]                  # place by player, NONE, SECRET
    uint8_t taker[8]                # while places are resolved: who bid there last, by place, else NONE
    uint8_t passed[8]               # Cinnamon Twist: item by player, NONE, SECRET
    uint8_t cards[8]                # cards held in all, by player
    uint8_t top[RETURNED]           # known cards on top of the deck, the uppermost last
    uint8_t top_seen[RETURNED]      # who knows each: a mask of players
    uint8_t bottom[RETURNED]        # known cards at the bottom, the first to be drawn first
    uint8_t bottom_seen[RETURNED]
    uint8_t drawn[2]                # Double Chocolate: the two cards, NONE until drawn
    uint8_t drawn_seen[2]
    uint8_t players
    uint8_t phase
    uint8_t power                   # the power being resolved
    uint8_t actor                   # whose power it is
    uint8_t waiting                 # who must choose now, a mask
    uint8_t taken                   # while places are resolved: those with one bid, and with several, masks
    uint8_t contested
    uint8_t empty                   # places to be filled, a mask; those of this round's bids only when all is resolved
    uint8_t place                   # the first place not yet resolved; while refilling, the first empty one
    uint8_t chosen                  # cards already named for this power; French Cruller: places already offered
    uint8_t deck                    # cards in the deck, the known ones included
    uint8_t tops
    uint8_t bottoms
    uint8_t discards
    uint8_t spare[6]
    uint8_t pile[KINDS]             # cards of each kind in the discard pile
    uint8_t discard[CARDS]          # the pile, bottom first, zero above `discards`

ctypedef struct Ruleset:
    int16_t points[KINDS][COPIES]   # worth of n cards of a kind, conditions met
    uint8_t first[KINDS]            # number of the kind's first card in the bag
    uint8_t copies[KINDS]
    uint8_t power[KINDS]            # what fires when the card is taken from the row
    uint8_t acts[KINDS]             # whether anything happens when it is taken: a power, or a Coffee that is counted
    uint8_t at_least_types[KINDS]   # conditions on points; 0: none
    uint8_t at_most_types[KINDS]
    uint8_t at_most_cards[KINDS]
    uint8_t fewest_cards[KINDS]
    int16_t most[KINDS]             # bonus of the sole holder of most, and of each who ties for most
    int16_t tied[KINDS]
    uint8_t kind_of[CARDS]
    uint64_t growth[KINDS][COPIES][COPIES]  # [kind][left][n]: how n cards grow by up to `left` more, hashed
    int16_t gain[KINDS][COPIES][COPIES]     # the largest gain from up to `left` more, and the smallest (<= 0)
    int16_t loss[KINDS][COPIES][COPIES]
    uint8_t kinds
    uint8_t players
    uint8_t cards
    uint8_t returns                 # how many cards can be put back by Double Chocolate
    uint8_t coffee                  # the kind that counts negative cards, NONE without one
    int16_t coffee_points           # per negative card
    uint8_t coffee_final
    uint8_t return_top
    uint8_t red_velvet_must
    uint8_t bear_claw_must
    uint32_t negatives              # masks of kinds: printed points below 0, points with a condition, a bonus for most
    uint32_t conditions
    uint32_t majorities
    # What exact search reduces by; meaningful where `reducible`: two players and nothing that `reduce` does not know.
    uint8_t reducible
    uint8_t conditional             # the one kind that wants a number of types, NONE without one
    uint8_t majority                # a kind with a bonus for most, NONE without one
    uint32_t special                # both of these, a mask
    uint32_t curved                 # kinds that are not worth the same points for each card, a mask
    int16_t each[KINDS]             # and what each card of the others is worth
    uint32_t powers                 # the kinds with any power, a mask
    uint32_t power_kinds[4]         # and with each up to French Cruller
    uint32_t power_unit[32]         # 1 << 8 * power, by kind
    uint64_t power_hash[KINDS]
    uint64_t worthless              # the hash of a collection that grows by nothing
