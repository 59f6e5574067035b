"""The tables: the worst cell and the geometric mean first, then the matrix, then whatever failed or is not here."""

from typing import Any

from interpreter_table import shown


def line(name: str, one: dict[str, Any], cpu: dict[str, Any] | None) -> str:
    """A row of the summary: wall time, and processor time beside it."""
    worst = one["worst"]
    of = f"{worst['job']} of {worst['kind']}, {worst['fastest']}"
    row = f"| {name} | **{worst['ratio']:.2f}** | {of} "
    row += f"| **{one['geometric_mean']:.2f}** | {one['slower']} of {one['cells']} |"
    if cpu is None:
        return f"{row} | | |"
    worst = cpu["worst"]
    return f"{row} {worst['cpu_ratio']:.2f} | {worst['job']} of {worst['kind']} | {cpu['geometric_mean']:.2f} |"


def matrix(cells: list[dict[str, Any]], key: str) -> list[str]:
    """Kinds by jobs."""
    kinds, jobs = ([*dict.fromkeys(cell[name] for cell in cells)] for name in ("kind", "job"))
    found = {(cell["kind"], cell["job"]): cell.get(key) for cell in cells}
    lines = [f"| kind | {' | '.join(jobs)} |", f"|---|{'--:|' * len(jobs)}"]
    for kind in kinds:
        ratios = [found.get((kind, job)) for job in jobs]
        lines.append(f"| {kind} | {' | '.join('' if one is None else f'{one:.2f}' for one in ratios)} |")
    return [*lines, ""]


def peers(beside: dict[str, dict[str, dict[str, Any]]]) -> list[str]:
    """Demat beside each peer, by processor time."""
    lines = ["| job | peer | worst cell | of | geometric mean | cells |", "|---|---|--:|---|--:|--:|"]
    for job, engines in beside.items():
        for name, one in engines.items():
            worst = one["worst"]
            lines.append(
                f"| {job} | {name} | {worst['ratio']:.2f} | {worst['kind']} | {one['geometric_mean']:.2f} "
                f"| {one['cells']} |"
            )
    return [*lines, ""]


def times(cells: list[dict[str, Any]]) -> list[str]:
    """Every engine's time and memory."""
    lines = ["| job | kind | engine | best | median | held MiB | peak MiB |", "|---|---|---|--:|--:|--:|--:|"]
    for cell in cells:
        for name, one in cell["engines"].items():
            memory = [f"{one[key] / 1024:.1f}" if key in one else "" for key in ("held_kib", "peak_kib")]
            mark = " (fastest peer)" if name == cell.get("fastest") else ""
            lines.append(
                f"| {cell['job']} | {cell['kind']} | {name}{mark} | {shown(one['min'])} | {shown(one['median'])} "
                f"| {' | '.join(memory)} |"
            )
    return [*lines, ""]


def markdown(document: dict[str, Any]) -> str:
    """All of it."""
    machine, cells = document["machine"], document["cells"]
    lines = [f"{machine['cpu']}, {machine['cores']} cores, load {machine['load']}, size: {document['size']}", ""]
    lines += [", ".join(f"{name} {version}" for name, version in machine["versions"].items()), ""]
    summary, cpu = document["summary"], document["cpu_summary"]
    if summary["overall"]:
        lines += [
            "How many times as fast as the fastest peer Demat is; below 1 it is slower. Wall time, then processor time,"
        ]
        lines += ["which says more where others are at work.", ""]
        lines += ["| job | worst cell | of | geometric mean | slower | worst, CPU | of | geometric mean, CPU |"]
        lines += ["|---|--:|---|--:|--:|--:|---|--:|", line("**all**", summary["overall"], cpu["overall"])]
        lines += [line(job, one, cpu["jobs"].get(job)) for job, one in summary["jobs"].items()]
        lines += ["", "Beside each peer, processor time:", "", *peers(document["beside"])]
        lines += ["Wall time:", "", *matrix(cells, "ratio"), "Processor time:", "", *matrix(cells, "cpu_ratio")]
        lines += ["How many times less memory the result holds than the leanest peer's; of reading, the peak.", ""]
        lines += matrix([cell for cell in cells if cell.get("memory_ratio")], "memory_ratio")
    lines += times(cells)
    lines += [
        f"- below the floor: {cell['job']} of {cell['kind']}: Demat is {cell['below_floor']:.2f}× as fast"
        for cell in cells
        if "below_floor" in cell
    ]
    lines += [f"- not here: {name}: {why}" for name, why in document["missing"].items()]
    lines += [f"- NO KIND: the zoo has none for Demat's format {name}" for name in document["uncovered"]]
    lines += [f"- cannot: {one}" for one in document["cannot"]]
    lines += [f"- failed: {one}" for one in document["failed"]]
    return "\n".join(lines)
