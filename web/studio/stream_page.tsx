// A table's changes as they happen, with what each has changed.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Problem, wait } from "../shared/api";
import { Icon } from "../shared/icons";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate, query, setQuery } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { Diff } from "./diff";
import { NoPage } from "./no_page";
import { describeTable, dynamodb, keyText, listTables, type TableInfo } from "./server";
import { TableHead } from "./table_head";
import type { Item } from "./values";

interface StreamRecord {
  eventID: string;
  eventName: "INSERT" | "MODIFY" | "REMOVE";
  userIdentity?: { principalId?: string };
  dynamodb: {
    ApproximateCreationDateTime: number;
    SequenceNumber: string;
    Keys: Item;
    OldImage?: Item;
    NewImage?: Item;
    SizeBytes: number;
  };
}

interface Shard {
  ShardId: string;
  SequenceNumberRange: { EndingSequenceNumber?: string };
}

const pollMs = 700;
const recordsMax = 500;

async function shardsOf(arn: string, signal: AbortSignal): Promise<Shard[]> {
  const shards: Shard[] = [];
  let start: string | undefined;
  do {
    const { StreamDescription } = await dynamodb<{
      StreamDescription: { Shards: Shard[]; LastEvaluatedShardId?: string };
    }>(
      "DescribeStream",
      { StreamArn: arn, ...(start && { ExclusiveStartShardId: start }) },
      signal,
    );
    shards.push(...StreamDescription.Shards);
    start = StreamDescription.LastEvaluatedShardId;
  } while (start);
  return shards;
}

// A server that comes back goes on where it was.
function unlessOffline(error: unknown): undefined {
  if (!(error instanceof Problem && error.code === "offline")) throw error;
}

// Reads all shards, and those that replace them, until it is told to stop.
async function tail(
  arn: string,
  isFromStart: boolean,
  onRecords: (records: StreamRecord[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const iterators = new Map<string, string | undefined>();
  const open = async (isFirst: boolean) => {
    for (const shard of await shardsOf(arn, signal)) {
      if (iterators.has(shard.ShardId)) continue;
      const isClosed = shard.SequenceNumberRange.EndingSequenceNumber !== undefined;
      if (isFirst && !isFromStart && isClosed) {
        iterators.set(shard.ShardId, undefined);
        continue;
      }
      const type = isFirst && !isFromStart ? "LATEST" : "TRIM_HORIZON";
      const { ShardIterator } = await dynamodb<{ ShardIterator?: string }>(
        "GetShardIterator",
        { StreamArn: arn, ShardId: shard.ShardId, ShardIteratorType: type },
        signal,
      );
      iterators.set(shard.ShardId, ShardIterator);
    }
  };
  await open(true);
  while (!signal.aborted) {
    let count = 0;
    for (const [shard, iterator] of iterators) {
      if (!iterator) continue;
      const page = await dynamodb<{ Records: StreamRecord[]; NextShardIterator?: string }>(
        "GetRecords",
        { ShardIterator: iterator, Limit: 100 },
        signal,
      ).catch(unlessOffline);
      if (!page) continue;
      iterators.set(shard, page.NextShardIterator);
      count += page.Records.length;
      if (page.Records.length > 0) onRecords(page.Records);
      if (!page.NextShardIterator) await open(false);
    }
    if (iterators.size === 0) await open(false);
    if (count === 0) await wait(pollMs, signal);
  }
}

const verbs = { INSERT: "inserted", MODIFY: "changed", REMOVE: "removed" };

function RecordCard({ record }: { record: StreamRecord }) {
  const { Keys, OldImage, NewImage, ApproximateCreationDateTime, SequenceNumber } = record.dynamodb;
  const isExpiry = record.userIdentity?.principalId === "dynamodb.amazonaws.com";
  return (
    <li class={`change change-${record.eventName.toLowerCase()}`}>
      <details>
        <summary>
          <span class="change-verb">{isExpiry ? "expired" : verbs[record.eventName]}</span>
          <code>
            {Object.values(Keys)
              .map((value) => keyText(value))
              .join("  ·  ")}
          </code>
          <small>{new Date(ApproximateCreationDateTime * 1000).toLocaleTimeString()}</small>
        </summary>
        {OldImage || NewImage ? (
          <Diff before={OldImage ?? {}} after={NewImage ?? {}} titles={["Old", "New"]} />
        ) : (
          <p class="soft">The stream holds keys only.</p>
        )}
        <p class="soft">
          Sequence number <code>{SequenceNumber}</code>
        </p>
      </details>
    </li>
  );
}

function Tail({ table }: { table: TableInfo }) {
  const records = useSignal<StreamRecord[]>([]);
  const problem = useSignal<unknown>(undefined);
  const isPaused = useSignal(false);
  const turn = useSignal(0);
  const isReady = useSignal(false);
  const isFromStart = query.value.get("from") === "start";
  const arn = table.LatestStreamArn;
  useEffect(() => {
    if (!arn || isPaused.value) return;
    const controller = new AbortController();
    if (isFromStart) records.value = [];
    problem.value = undefined;
    const add = (read: StreamRecord[]) => {
      const known = new Set(records.value.map((record) => record.eventID));
      records.value = [
        ...read.filter((record) => !known.has(record.eventID)).reverse(),
        ...records.value,
      ].slice(0, recordsMax);
    };
    tail(arn, isFromStart, add, controller.signal).catch((error: unknown) => {
      if (controller.signal.aborted) return;
      problem.value = error instanceof Problem ? error : new Error(String(error));
    });
    isReady.value = true;
    return () => controller.abort();
  }, [arn, isFromStart, isPaused.value, turn.value]);
  return (
    <>
      <div class="row spread">
        <p class="soft" role="status">
          {isPaused.value ? "Paused" : isReady.value ? "Listening" : "Connecting…"} ·{" "}
          {manyText(records.value.length, "change")}
        </p>
        <div class="row">
          <label class="check">
            <input
              type="checkbox"
              checked={isFromStart}
              onChange={(event) => setQuery({ from: event.currentTarget.checked ? "start" : null })}
            />
            From the oldest that is kept
          </label>
          <button type="button" class="small" onClick={() => (records.value = [])}>
            Clear
          </button>
          <button
            type="button"
            class="small"
            aria-pressed={isPaused.value}
            onClick={() => (isPaused.value = !isPaused.value)}
          >
            <Icon name={isPaused.value ? "play" : "pause"} /> {isPaused.value ? "Go on" : "Pause"}
          </button>
        </div>
      </div>
      {problem.value !== undefined && (
        <ProblemBox error={problem.value} onRetry={() => (turn.value += 1)} />
      )}
      {records.value.length === 0 ? (
        <Empty title="No changes yet">
          <p>Write to the table, here or from a program, and watch it appear.</p>
        </Empty>
      ) : (
        <ol class="changes">
          {records.value.map((record) => (
            <RecordCard key={record.eventID} record={record} />
          ))}
        </ol>
      )}
    </>
  );
}

function OfTable({ name }: { name: string }) {
  const { data: table, error, reload } = useLoad((signal) => describeTable(name, signal), [name]);
  const turnOn = () =>
    attempt(async () => {
      await dynamodb("UpdateTable", {
        TableName: name,
        StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
      });
      done(`The stream of ${name} is on`);
      reload();
    });
  if (error !== undefined) return <NoPage {...{ error, name }} what="table" onRetry={reload} />;
  if (!table) return <Loading />;
  return (
    <>
      <TableHead name={name} line="Changes as they happen, each with what it has changed." />
      {table.StreamSpecification?.StreamEnabled ? (
        <Tail table={table} />
      ) : (
        <Empty title="The stream is off">
          <p>With a stream, every change of an item is kept for a day, in order.</p>
          <button type="button" class="primary" onClick={() => void turnOn()}>
            Turn it on
          </button>
        </Empty>
      )}
    </>
  );
}

function Choose() {
  const { data, error, reload } = useLoad(async (signal) => {
    const names = await listTables(signal);
    return Promise.all(names.map((name) => describeTable(name, signal)));
  }, []);
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!data) return <Loading />;
  const isOn = (table: TableInfo) => table.StreamSpecification?.StreamEnabled ?? false;
  return (
    <>
      <PageTitle title="Streams" line="Watch the changes of a table as they happen." />
      {data.length === 0 ? (
        <Empty title="No tables yet">
          <button type="button" onClick={() => navigate("/studio?create=form")}>
            New table
          </button>
        </Empty>
      ) : (
        <div class="tiles">
          {[...data.filter(isOn), ...data.filter((table) => !isOn(table))].map((table) => (
            <Link
              key={table.TableName}
              class="tile"
              href={`/studio/streams/${encodeURIComponent(table.TableName)}`}
            >
              <h2>{table.TableName}</h2>
              <p>
                {isOn(table)
                  ? table.StreamSpecification?.StreamViewType?.toLowerCase().replaceAll("_", " ")
                  : "stream off"}
              </p>
            </Link>
          ))}
        </div>
      )}
    </>
  );
}

export function StreamPage({ name }: { name?: string }) {
  return name === undefined ? <Choose /> : <OfTable name={name} />;
}
