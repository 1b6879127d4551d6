/*
 * The protocol of closing groups, for spin: launches one after the other that count in one word. Each
 * group publishes its states and counts itself; the groups that are the last to do so share the
 * rounds of outputs. All but the last of them wait with bounded patience for the others to end; if
 * one gives up, the last does all rounds. It says nothing of kernels: a group has one state, a round
 * is one output, and memory is sequentially consistent, as it is to the atomics of
 * cl/group/fold_closing.cl. Its names and the order of its steps are those of that file.
 *
 *   GROUPS          of a launch
 *   RESIDENT        groups at a time; whoever ends makes room for the next one
 *   ROUNDS          of outputs
 *   CLOSERS_MOST    closing groups at most
 *   LOOKS           at the word, after which a group gives up; 0: it waits for ever. With 1 every
 *                   number is covered, since a group that is not run waits as well
 *   LAUNCHES        of which each finds the word as the one before left it
 *   FAULT_...       one of the faults below, each of which must be found
 *
 * A state is the number of the launch that published it. Whoever does a round asserts that all
 * states are this launch's. In the end each round was done, once if nobody gave up, and the word
 * is 0.
 */
#ifndef GROUPS
#define GROUPS 4
#endif
#ifndef RESIDENT
#define RESIDENT 3
#endif
#ifndef ROUNDS
#define ROUNDS 4
#endif
#ifndef CLOSERS_MOST
#define CLOSERS_MOST 3
#endif
#ifndef LOOKS
#define LOOKS 1
#endif
#ifndef LAUNCHES
#define LAUNCHES 2
#endif
#define LEAST(a, b) ((a) < (b) -> (a) : (b))
#define CLOSERS LEAST(LEAST(ROUNDS, CLOSERS_MOST), GROUPS)

/* The word: groups that have ended, and above them those that gave up waiting. */
#define ONE_GAVE_UP 8
#define ENDED(word) ((word) % ONE_GAVE_UP)
#define GAVE_UP(word) ((word) / ONE_GAVE_UP)

short ended;
byte state[GROUPS];
byte done[ROUNDS]; /* how often */
bool some_gave_up; /* for good: what the last one must see */

byte launch, begun, left;
bool finished;

inline publish() {
    state[t] = launch
}

inline count() {
#ifdef FAULT_COUNT_IN_TWO_STEPS
    word = ended;
    ended = word + 1;
#else
    atomic { word = ended; ended++ };
#endif
    before = ENDED(word)
}

#ifdef FAULT_CLOSES_EARLY
#define LAST (GROUPS - 2)
#else
#define LAST (GROUPS - 1)
#endif

/* Whether all groups have ended, the last of which takes their count off. */
#ifdef FAULT_ZERO_UNSEEN
#define IS_OVER(word) (ENDED(word) == GROUPS)
#else
#define IS_OVER(word) (ENDED(word) == GROUPS || ENDED(word) <= before)
#endif

/* What the last one takes off the word: all that it saw there, and itself. */
#if defined(FAULT_COUNT_STAYS)
#define TAKEN 0
#elif defined(FAULT_GAVE_UP_STAYS)
#define TAKEN GROUPS
#else
#define TAKEN (word + 1)
#endif

#ifdef FAULT_GAVE_UP_UNREAD
#define DOES_ALL false
#else
#define DOES_ALL (GAVE_UP(word) > 0)
#endif

/* Give up, unless all have ended after all: then the last one did not see it. */
inline give_up() {
#ifdef FAULT_GIVES_UP_UNSEEN
    word = 1; some_gave_up = true;
    goto leaves;
#else
    atomic {
        word = ended;
        ended = ended + ONE_GAVE_UP;
#ifndef FAULT_END_UNSEEN
        if
        :: IS_OVER(word)
        :: else ->
#endif
            some_gave_up = true;
            goto leaves
#ifndef FAULT_END_UNSEEN
        fi
#endif
    };
#ifndef FAULT_TAKES_NOTHING_BACK
    ended = ended - ONE_GAVE_UP
#endif
#endif
}

inline wait_for_end() {
    do
    :: atomic { IS_OVER(ended) -> break }
#if LOOKS == 0
    :: atomic { !IS_OVER(ended) -> skip }
#else
    :: atomic { !IS_OVER(ended) -> looks++;
                if :: looks == LOOKS -> goto gives_up :: else fi }
#endif
    od
}

inline do_round() {
    d_step {
        for (i : 0 .. GROUPS - 1) {
            assert(state[i] == launch);
        }
        i = 0;
        done[round]++;
        round = round + step
    }
}

proctype group() {
    byte t, before, round, step, looks, i;
    short word;
    do
    :: atomic { begun < GROUPS -> t = begun; begun++ };
#ifdef FAULT_COUNTS_FIRST
        count();
        publish();
#else
        publish();
        count();
#endif
        if
        :: before == LAST ->
            ended = ended - TAKEN;
            if
            :: DOES_ALL -> round = 0; step = 1
            :: else -> round = before + CLOSERS - GROUPS; step = CLOSERS
            fi
        :: before != LAST && before + CLOSERS < GROUPS -> goto leaves
        :: else ->
            wait_for_end();
            goto closes;
gives_up:
            give_up();
closes:
            round = before + CLOSERS - GROUPS;
            step = CLOSERS
        fi;
        do
        :: round < ROUNDS -> do_round()
        :: else -> break
        od;
leaves:
        skip;
        d_step { t = 0; before = 0; round = 0; step = 0; looks = 0; word = 0 }
    :: atomic { begun == GROUPS -> break }
    od;
    left++
}

/* Launches follow one another. */
init {
    byte k;
    do
    :: launch == LAUNCHES -> break
    :: else ->
        d_step {
            launch++;
            for (k : 0 .. ROUNDS - 1) {
                done[k] = 0;
            }
            some_gave_up = false;
            begun = 0;
            left = 0;
            k = 0;
        }
        atomic {
            for (k : 1 .. RESIDENT) {
                run group();
            }
            k = 0;
        }
        left == RESIDENT;
        d_step {
            assert(ended == 0);
            for (k : 0 .. ROUNDS - 1) {
                assert(done[k] == 1 || (some_gave_up && done[k] == 2));
            }
            k = 0;
        }
    od;
    finished = true
}

ltl ends { <> finished }
