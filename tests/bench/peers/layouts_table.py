"""The tables of `tally bench layouts` next to its peers: geometric means of the shares of a copy, by
group, and the problems where a peer is faster.
"""

import statistics

FASTER = 1.03  # a peer is faster from here on

GROUPS = {
    "reductions": lambda row: row["operator"] == "reduce" and row["function"] != "log_sum_exp",
    "log_sum_exp": lambda row: row["function"] == "log_sum_exp",
    "scans": lambda row: row["operator"] == "scan",
    "fills": lambda row: row["operator"] == "diagonal",
    "all": lambda row: True,
}


def mean(shares):
    return f"{statistics.geometric_mean(shares):.3f}" if shares else "-"


def compare(rows, peer):
    """Of the rows that the peer ran: Tally's shares, the peer's, and how often it is faster."""
    both = [(row, peer[row["name"]]) for row in rows if "us" in peer.get(row["name"], {})]
    own = [row["of_copy"] for row, _ in both]
    theirs = [row["copy_us"] / other["us"] for row, other in both]
    faster = sum(row["us"] > FASTER * other["us"] for row, other in both)
    return own, theirs, faster


def print_means(rows, names, peers, print_table):
    head = ["share of a copy", "count", "Tally"]
    for name in names:
        head += [f"{name} ran", "Tally there", name, f"{name} faster"]
    table = []
    for group, has in GROUPS.items():
        mine = [row for row in rows if has(row)]
        cells = [group, str(len(mine)), mean([row["of_copy"] for row in mine])]
        for peer in peers:
            own, theirs, faster = compare(mine, peer)
            cells += [str(len(own)), mean(own), mean(theirs), str(faster)]
        table.append(cells)
    print_table(head, table)


def print_faster(rows, name, peer, print_table):
    """The problems where the peer is faster, the worst for Tally first."""
    found = [(row["us"] / peer[row["name"]]["us"], row) for row in rows
             if "us" in peer.get(row["name"], {})]
    found = sorted(((ratio, row) for ratio, row in found if ratio > FASTER),
                   key=lambda pair: -pair[0])
    if not found:
        print(f"{name} is nowhere faster by more than 3 %.\n")
        return
    print(f"{name} is faster by more than 3 %:\n")
    print_table(["problem", "Tally us", f"{name} us", "ratio", "Tally's share", "schedules", "note"],
                [[f"{row['index']}: {row['description']}", f"{row['us']:.1f}",
                  f"{peer[row['name']]['us']:.1f}", f"{ratio:.2f}", f"{row['of_copy']:.3f}",
                  row["schedules"], peer[row["name"]].get("note", "")] for ratio, row in found])


def print_layouts(tally, names, peers, print_table):
    print(f"Problems 0 to {tally['count'] - 1} of seed {tally['seed']}.\n")
    for log2 in tally["log2"]:
        rows = [row for row in tally["rows"] if row["log2"] == log2 and "not_run" not in row]
        print(f"2^{log2} bytes:\n")
        print_means(rows, names, peers, print_table)
        for name, peer in zip(names, peers):
            print_faster(rows, name, peer, print_table)
