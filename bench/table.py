"""Prints the goals of docs/performance.md beside what was measured.

  table.py PEERS.json ENGINE.json

A ratio is the median over the rounds of (peer / Trestle) within one round, so above 1 Trestle is
the cheaper one. "CPU" compares server CPU per request, "speed" requests per second.
"""

import json
import pathlib
import statistics
import sys


def ratios(rounds, ours, peer):
    """(CPU, speed) of `ours` against `peer`; each picks one set of figures out of a round."""
    pairs = [(ours(it), peer(it)) for it in rounds]
    cpu = statistics.median(them["server_cpu_us"] / us["server_cpu_us"] for us, them in pairs)
    speed = statistics.median(us["per_second"] / them["per_second"] for us, them in pairs)
    return cpu, speed


def row(name, measured, must, aim, note=""):
    return f"| {name} | {measured} | {must} | {aim} | {note} |"


def request_rows(requests):
    def against(name, rounds, kind, peer, must, aim):
        cpu, speed = ratios(rounds, lambda it: it[kind], lambda it: it[peer])
        us = statistics.median(it[kind]["server_cpu_us"] for it in rounds)
        them = statistics.median(it[peer]["server_cpu_us"] for it in rounds)
        p50 = statistics.median(it[kind]["p50_us"] for it in rounds)
        p99 = statistics.median(it[kind]["p99_us"] for it in rounds)
        per_second = statistics.median(it[kind]["per_second"] for it in rounds)
        return row(
            name,
            f"{cpu:.2f} (speed {speed:.2f})",
            must,
            aim,
            f"{us:.1f} µs against {them:.1f} µs; {per_second:,.0f}/s, p50 {p50 / 1e3:.2f} ms, "
            f"p99 {p99 / 1e3:.2f} ms",
        )

    reads, writes, synced = requests["reads"], requests["writes"], requests["synced"]
    yield against("GetItem / nginx", reads, "get", "nginx", "0.50", "0.75")
    yield against("PutItem, relaxed / nginx", writes, "put", "nginx", "0.40", "0.60")
    yield against("PutItem, sync / nginx", synced, "put", "nginx", "0.20", "0.30")
    yield against("UpdateItem / nginx", writes, "update", "nginx", "0.35", "0.55")
    yield against("Query of 20 / nginx", reads, "query", "nginx", "0.15", "0.30")
    yield against("GetItem / redis GET", reads, "get", "redis", "0.6", "0.85")
    # What HTTP alone reaches beside dynalite, and so no server that answers more than that.
    rounds = [it["get"] for it in requests["dynalite"]]
    yield against("nginx / dynalite GetItem", rounds, "nginx", "dynalite", "-", "-")
    for kind, name, must, aim in (
        ("get", "GetItem", "8 x", "15 x"),
        ("put", "PutItem", "8 x", "15 x"),
        ("query", "Query of 20", "15 x", "30 x"),
    ):
        rounds = [it[kind] for it in requests["dynalite"]]
        yield against(f"{name} / dynalite", rounds, "trestle", "dynalite", must, aim)


def engine_rows(it):
    yield row(
        "embedded GetItem / RocksDB Get",
        f"{it['get_raw_ns'] / it['get_embedded_ns']:.2f}",
        "0.6",
        "0.8",
        f"{it['get_embedded_ns']} ns (engine alone {it['get_engine_ns']} ns, "
        f"{it['get_raw_ns'] / it['get_engine_ns']:.2f}) against {it['get_raw_ns']} ns",
    )
    yield row(
        "synced PutItem, GSI and stream, 64 / RocksDB batches",
        f"{it['put_raw_wall_us'] / it['put_engine_wall_us']:.2f} "
        f"(CPU {it['put_raw_cpu_us'] / it['put_engine_cpu_us']:.2f})",
        "0.6",
        "0.8",
        f"{it['put_engine_wall_us']} µs, CPU {it['put_engine_cpu_us']} µs, against "
        f"{it['put_raw_wall_us']} µs, CPU {it['put_raw_cpu_us']} µs; "
        f"fdatasync {it['fdatasync_us']} µs",
    )


def growth_rows(peers, it):
    rounds, many = peers["growth"], peers["options"]["growth_items"]
    few_us, many_us = (
        statistics.median(round[kind]["server_cpu_us"] for round in rounds)
        for kind in ("few", "many")
    )
    yield row(
        f"growth of GetItem, {many:,} / {it['small']:,} items",
        f"{many_us / few_us:.2f} x",
        "2 x",
        "1.3 x",
        f"{many_us:.1f} µs / {few_us:.1f} µs; the engine alone, {it['large']:,} items: "
        f"{it['get_engine_ns']} ns / {it['get_engine_small_ns']} ns",
    )
    update = it["index_update_large_us"] / it["index_update_small_us"]
    yield row(
        f"growth of a GSI update, embedded, {it['large']:,} / {it['small']:,} items",
        f"{update:.2f} x",
        "2 x",
        "1.3 x",
        f"{it['index_update_large_us']} µs / {it['index_update_small_us']} µs",
    )


def start_rows(it):
    def memory(name, idle):
        anonymous = f"{idle['anonymous_kb'] / 1e3:.1f} MB of it not file pages"
        return row(name, f"{idle['rss_kb'] / 1e3:.1f} MB", "30 MB", "15 MB", anonymous)

    yield memory("idle memory, in memory", it["memory_idle"])
    yield memory("idle memory, fresh folder", it["fresh_idle"])
    median = statistics.median
    yield row("start, in memory", f"{median(it['memory_ms']):.0f} ms", "100 ms", "30 ms")
    yield row("start, fresh folder", f"{median(it['fresh_ms']):.0f} ms", "-", "-")
    size = f"{it['large_folder_bytes'] / 1e9:.2f} GB"
    killed = f"after a kill {median(it['killed_ms']):.0f} ms"
    yield row(f"start, {size} on disk", f"{median(it['large_ms']):.0f} ms", "1 s", "300 ms", killed)


def main() -> int:
    peers, engine = (json.loads(pathlib.Path(file).read_text()) for file in sys.argv[1:3])
    options = peers["options"]
    load = f"load average {peers['load_before'][0]:.1f} before, {peers['load_after'][0]:.1f} after"
    print(
        f"{options['items']:,} items, {options['rounds']} rounds of {options['seconds']} s; "
        f"fdatasync {peers['requests']['fdatasync_us']:.0f} µs; "
        f"dynalite on Node {peers['node']}; {load}\n"
    )
    print("| figure | measured | must | aim | |\n|---|---|---|---|---|")
    for line in (
        *request_rows(peers["requests"]),
        *engine_rows(engine),
        *start_rows(peers["starts"]),
        *growth_rows(peers, engine),
    ):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
