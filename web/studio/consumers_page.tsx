// Those that follow the changes of the applications' tables: how far they are, and what they have
// given up.

import { useSignal } from "@preact/signals";
import { DataTable } from "../shared/data_table";
import { agoText } from "../shared/dates";
import { Icon } from "../shared/icons";
import { touch } from "../shared/live";
import { usePages } from "../shared/pages";
import {
  countText,
  Empty,
  Fact,
  Loading,
  manyText,
  PageTitle,
  ProblemBox,
  useLoad,
} from "../shared/pieces";
import { ReadOn } from "../shared/read_on";
import { Link, navigate } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { useEvery } from "./every";
import { type Consumer, listConsumers, listDeadLetters, replay } from "./operator";

const part = encodeURIComponent;
const hrefOf = (it: { app: string; consumer: string }) =>
  `/studio/consumers/${part(it.app)}/${part(it.consumer)}`;

function lagText(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

function useConsumers() {
  const found = useLoad(listConsumers, []);
  useEvery(found.reload);
  return found;
}

const stateText = (it: Consumer) => (it.isRunning ? "running" : "stopped");

export function ConsumersPage() {
  const { data, error, reload } = useConsumers();
  return (
    <>
      <PageTitle
        title="Consumers"
        line="What follows from changes of the applications' tables, and how far behind it is."
      >
        <button type="button" onClick={reload}>
          <Icon name="refresh" /> Refresh
        </button>
      </PageTitle>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && data.length === 0 && <Empty title="No application follows its table here" />}
      {data && data.length > 0 && (
        <DataTable
          label="Consumers"
          isShort
          rows={data}
          rowKey={(it) => `${it.app} ${it.consumer}`}
          onOpen={(it) => navigate(hrefOf(it))}
          columns={[
            {
              name: "Consumer",
              cell: (it) => (
                <Link href={hrefOf(it)}>
                  {it.app} {it.consumer}
                </Link>
              ),
            },
            { name: "State", cell: stateText },
            { name: "Behind", isNumeric: true, cell: (it) => lagText(it.lagMs) },
            { name: "Changes", isNumeric: true, cell: (it) => countText(it.changes) },
            { name: "Tried again", isNumeric: true, cell: (it) => countText(it.retries) },
            { name: "Given up", isNumeric: true, cell: (it) => countText(it.givenUp) },
          ]}
        />
      )}
    </>
  );
}

export function ConsumerPage({ app, consumer }: { app: string; consumer: string }) {
  const { data } = useConsumers();
  const isBusy = useSignal(false);
  const found = usePages(
    (cursor, signal) => listDeadLetters({ app, consumer }, cursor, signal),
    [app, consumer],
  );
  const state = data?.find((it) => it.app === app && it.consumer === consumer);
  const again = async () => {
    isBusy.value = true;
    await attempt(async () => {
      const { done: count, failed } = await replay({ app, consumer });
      const rest = failed > 0 ? `, ${manyText(failed, "change")} failed again` : "";
      done(`${manyText(count, "change")} done${rest}`);
    });
    isBusy.value = false;
    touch();
  };
  return (
    <>
      <PageTitle title={`${app} ${consumer}`} line="Changes that it has given up, oldest first.">
        <Link class="button" href="/studio/consumers">
          All consumers
        </Link>
        <button
          type="button"
          class="primary"
          disabled={isBusy.value || found.items.length === 0}
          aria-busy={isBusy.value}
          onClick={() => void again()}
        >
          <Icon name="refresh" /> {isBusy.value ? "Working…" : "Try them again"}
        </button>
      </PageTitle>
      {state && (
        <dl class="facts">
          <Fact name="State">{stateText(state)}</Fact>
          <Fact name="Behind">{lagText(state.lagMs)}</Fact>
          <Fact name="Changes">{countText(state.changes)}</Fact>
          <Fact name="Tried again">{countText(state.retries)}</Fact>
          <Fact name="Given up">{countText(state.givenUp)}</Fact>
        </dl>
      )}
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading />}
      {found.first && found.items.length === 0 && <Empty title="No dead letters" />}
      {found.items.length > 0 && (
        <DataTable
          label="Dead letters"
          isShort
          rows={found.items}
          rowKey={(letter) => letter.sequence}
          columns={[
            {
              name: "When",
              cell: ({ at }) => <time dateTime={at}>{agoText(at)}</time>,
            },
            { name: "What went wrong", cell: ({ error }) => error },
            { name: "Tries", isNumeric: true, cell: ({ tries }) => countText(tries) },
            { name: "Sequence number", cell: ({ sequence }) => <code>{sequence}</code> },
          ]}
        />
      )}
      <ReadOn cursor={found.cursor} read={found.more} />
    </>
  );
}
