/*
 * How groups that look back (scan_chain_words.cl) take units, leave those for which they waited in
 * vain, and how the closing group finds these.
 */
/*
 * A board begins with counters, a word each: tickets drawn and units that groups are through with
 * looking for, both 0 between launches; and units that were left unwritten, ever. Then come the
 * marks: of a unit that is left the launch's number.
 */
#define TALLY_TICKETS(words) ((volatile __global uint *)(words))
#define TALLY_LOOKED(words) ((volatile __global uint *)((words) + 1))
#define TALLY_LEFT(words) ((volatile __global uint *)((words) + 2))
#define TALLY_MARKS(words) ((volatile __global uint *)((words) + TALLY_BOARD_COUNTERS))

/* Looks at memory that a group wastes. */
#define TALLY_DAWDLE 50

/* Of the count of units that were looked for: some of them are left. */
#define TALLY_SOME_LEFT 0x80000000u

/* Looks of the closing group for a word that was published, and may be on its way. */
#define TALLY_LAST_SPIN_LIMIT (1u << 20)

/* In trials: one in stall units keeps the others waiting, some ten microseconds. */
static void TALLY_FN(dawdle)(__global TALLY_WORD *words, uint job, uint stall) {
    for (uint k = 0; stall != 0 && job % stall == 1 && k < TALLY_DAWDLE; k++)
        (void)*TALLY_LEFT(words);
}

/* The job of a round of jobs from first on, which groups take by tickets or by their numbers. */
static uint TALLY_FN(draw)(__global TALLY_WORD *words, uint first, uint tickets) {
    return tickets ? atomic_inc(TALLY_TICKETS(words)) : first + (uint)get_group_id(0);
}

/* Say which job a group has; there is nothing to do if it is not wanted. In trials one in leave. */
static void TALLY_FN(take_job)(uint job, bool wanted, uint leave, const TALLY_ARGS *a,
                           __local TALLY_FN(past) *past) {
    past->job = wanted ? job : 0;
    const tally_index begin = TALLY_UNIT_OF(past, *a) * (tally_index)TALLY_UNIT;
    past->terms = wanted ? (uint)min((tally_index)TALLY_UNIT, (tally_index)a->terms - begin) : 0;
    past->gave_up = wanted && leave != 0 && job % leave == leave - 1;
}

/*
 * Take the unit that a group has of a round of them from first on, or of those that are left. It is
 * no function, as rows of float16 are 3 to 4 % slower by one on an H200.
 */
#define TALLY_TAKE_UNIT(words, first, of_left, units, a, past)                                     \
    {                                                                                              \
        const uint job = (of_left) ? (first) : TALLY_FN(draw)(words, first, (uint)(a).tickets);    \
        TALLY_FN(take_job)(job,                                                                    \
                           (of_left) ? atomic_or(TALLY_MARKS(words) + job, 0) == (uint)(a).tag     \
                                     : job < (units),                                              \
                           (of_left) ? 0 : (uint)(a).leave, &(a), past);                           \
    }

/* Mark a unit that is left. The mark is there for all before its unit counts as looked for. */
static void TALLY_FN(leave)(__global TALLY_WORD *words, uint tag, __local TALLY_FN(past) *past) {
    past->looked = atomic_xchg(TALLY_MARKS(words) + past->job, tag);
    atomic_inc(TALLY_LEFT(words));
    atomic_or(TALLY_LOOKED(words), TALLY_SOME_LEFT);
}

/*
 * Whether this group is the closing one, the last of all to have looked at all of its rounds, so
 * that all is told, and units are left. Counters become what the next launch wants.
 */
static bool TALLY_FN(has_left)(__global TALLY_WORD *words, uint jobs,
                               __local const TALLY_FN(past) *past) {
    const uint groups = (uint)get_num_groups(0), rounds = (jobs + groups - 1) / groups;
    const uint looked = rounds > 0 ? past->looked : 0;
    const bool last = rounds > 0 && (looked & ~TALLY_SOME_LEFT) == rounds * groups - 1;
    if (last && get_local_id(0) == 0) {
        *TALLY_TICKETS(words) = 0;
        *TALLY_LOOKED(words) = 0;
    }
    return last && (looked & TALLY_SOME_LEFT) != 0;
}
