// What readers have reported, and what moderators decide about it.

import { useSignal } from "@preact/signals";
import { user } from "../shared/api";
import { agoText, dayText, timeText } from "../shared/dates";
import { Dialog } from "../shared/dialog";
import { AreaField, FormProblem, SubmitButton, useForm } from "../shared/form";
import { changed, touch } from "../shared/live";
import { usePages } from "../shared/pages";
import { Empty, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { ReadOn } from "../shared/read_on";
import { Link, query } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { AuthorLink, personHref, readHref, storyHref } from "./pieces";
import { reasons } from "./report";
import {
  decideReport,
  getChapter,
  getPerson,
  getRemark,
  getStory,
  hide,
  isModerator,
  listReports,
  type Report,
  type ReportState,
  type Target,
} from "./server";
import { isMissing } from "./story_page";

const tabs: { state: ReportState; label: string; empty: string }[] = [
  { state: "OPEN", label: "Open", empty: "Nothing waits for a decision" },
  { state: "UPHELD", label: "Upheld", empty: "No report was upheld" },
  { state: "DISMISSED", label: "Dismissed", empty: "No report was dismissed" },
];
const kinds = { STORY: "Story", CHAPTER: "Chapter", COMMENT: "Comment", USER: "Writer" };
const excerptMax = 400;

interface Shown {
  title: string;
  href: string;
  authorId: string;
  authorName: string;
  text: string;
  isHidden: boolean;
}

async function look(target: Target, signal: AbortSignal): Promise<Shown> {
  const { targetType, targetId, storyId = "", nodeId = "" } = target;
  if (targetType === "USER") {
    const { displayName, bio = "" } = await getPerson(targetId, signal);
    const href = personHref(targetId);
    const of = { authorId: targetId, authorName: displayName };
    return { title: displayName, href, ...of, text: bio, isHidden: false };
  }
  if (targetType === "STORY") {
    const story = await getStory(targetId, signal);
    const href = storyHref(targetId);
    return { ...story, href, text: story.synopsis, isHidden: story.hidden ?? false };
  }
  if (targetType === "CHAPTER") {
    const chapter = await getChapter(storyId, targetId, signal);
    const href = readHref(storyId, targetId);
    return { ...chapter, href, text: chapter.content ?? "", isHidden: chapter.hidden };
  }
  const remark = await getRemark(storyId, nodeId, targetId, signal);
  const title = `by ${remark.authorName}`;
  const href = readHref(storyId, nodeId);
  return { ...remark, title, href, text: remark.text ?? "[removed]", isHidden: remark.hidden };
}

/** Several people may have reported one thing: it is decided once. */
function grouped(reports: Report[]): Report[][] {
  const groups = new Map<string, Report[]>();
  for (const report of reports) {
    const name = `${report.targetType} ${report.targetId}`;
    groups.set(name, [...(groups.get(name) ?? []), report]);
  }
  return [...groups.values()];
}

const reasonText = (reason: string) => reasons.find((it) => it.value === reason)?.label ?? reason;

function Reporter({ report }: { report: Report }) {
  const { data } = useLoad((signal) => getPerson(report.reporterId, signal), [report.reporterId]);
  return (
    <li>
      <span class="chip chip-warning">{reasonText(report.reason)}</span>{" "}
      <small>
        by <AuthorLink id={report.reporterId} name={data?.displayName ?? "somebody"} />,{" "}
        {agoText(report.createdAt)}
      </small>
      {report.text && <p class="report-words">{report.text}</p>}
    </li>
  );
}

/** Who decided, when and why: once, where several were decided together. */
function Decisions({ reports }: { reports: Report[] }) {
  const told = new Map<string, Report>();
  for (const report of reports) {
    const { decidedBy, note = "" } = report;
    if (decidedBy) told.set(`${decidedBy} ${note}`, report);
  }
  return (
    <>
      {[...told.values()].map(({ reportId, state, decidedBy, decidedByName, decidedAt, note }) => (
        <div key={reportId} class="decision">
          <p>
            {state === "UPHELD" ? "Upheld" : "Dismissed"} by{" "}
            <AuthorLink id={decidedBy ?? ""} name={decidedByName ?? "somebody"} />
            {decidedAt && (
              <>
                ,{" "}
                <time dateTime={decidedAt} title={`${dayText(decidedAt)}, ${timeText(decidedAt)}`}>
                  {agoText(decidedAt)}
                </time>
              </>
            )}
          </p>
          {note && <p class="report-words">{note}</p>}
        </div>
      ))}
    </>
  );
}

/** Each with the note that it had, unless all get one. */
async function decideAll(reports: Report[], state: ReportState, note?: string): Promise<void> {
  for (const report of reports) await decideReport(report, state, note ?? report.note);
}

interface DecideProps {
  reports: Report[];
  state: "UPHELD" | "DISMISSED";
  shown?: Shown;
  onEnd: () => void;
}

function DecideForm({ reports, state: next, shown, onEnd }: DecideProps) {
  const target = reports[0]!;
  const isUpheld = next === "UPHELD";
  const canHide =
    isUpheld && target.targetType !== "USER" && shown !== undefined && !shown.isHidden;
  const isHiding = useSignal(canHide);
  const { state, onSubmit } = useForm(async (data) => {
    const [reason, note] = ["reason", "note"].map((name) => String(data.get(name) ?? "").trim());
    if (isHiding.value) await hide(target, true, reason || undefined);
    await decideAll(reports, next, note);
    const text = isHiding.value ? "Upheld, and hidden" : isUpheld ? "Upheld" : "Dismissed";
    const before = target.state;
    done(text, isHiding.value ? undefined : () => decideAll(reports, before).then(touch));
    onEnd();
    touch();
  });
  return (
    <form class="form" onSubmit={onSubmit} noValidate>
      <p>
        {manyText(reports.length, "report")} about it will be {isUpheld ? "upheld" : "dismissed"}.
      </p>
      {canHide && (
        <label class="check">
          <input
            type="checkbox"
            checked={isHiding.value}
            onChange={(event) => (isHiding.value = event.currentTarget.checked)}
          />
          Hide it from all but its author and moderators
        </label>
      )}
      {isHiding.value && target.targetType === "STORY" && (
        <AreaField
          label="Why, for its author"
          name="reason"
          rows={3}
          state={state.value}
          hint="At most 500 characters; may stay empty"
        />
      )}
      <AreaField
        label="Note, for moderators"
        name="note"
        rows={3}
        state={state.value}
        hint="At most 1000 characters; may stay empty"
      />
      <FormProblem state={state.value} />
      <div class="form-end">
        <button type="button" onClick={onEnd}>
          Cancel
        </button>
        <SubmitButton state={state.value}>{isUpheld ? "Uphold" : "Dismiss"}</SubmitButton>
      </div>
    </form>
  );
}

function Tools({ reports, shown }: { reports: Report[]; shown?: Shown }) {
  const asking = useSignal<DecideProps["state"] | null>(null);
  const isBusy = useSignal(false);
  const target = reports[0]!;
  const close = () => void (asking.value = null);
  const what = `${kinds[target.targetType].toLowerCase()} ${shown?.title ?? target.targetId}`;
  const act = async (action: () => Promise<void>) => {
    isBusy.value = true;
    await attempt(action);
    isBusy.value = false;
    touch();
  };
  const openAgain = () =>
    act(async () => {
      const before = target.state;
      await decideAll(reports, "OPEN");
      done("Open again", () => decideAll(reports, before).then(touch));
    });
  const setHidden = (hidden: boolean) =>
    act(async () => {
      await hide(target, hidden);
      const text = hidden ? "Hidden from all but its author" : "Everybody can see it again";
      done(text, () => hide(target, !hidden).then(touch));
    });
  const tool = (label: string, go: () => unknown, tone = "") => (
    <button
      type="button"
      class={tone}
      disabled={isBusy.value}
      aria-label={`${label}: ${what}`}
      onClick={() => void go()}
    >
      {label}
    </button>
  );
  return (
    <div class="row">
      {target.state === "OPEN" ? (
        <>
          {tool("Uphold", () => (asking.value = "UPHELD"), "danger")}
          {tool("Dismiss", () => (asking.value = "DISMISSED"))}
        </>
      ) : (
        tool("Open again", openAgain)
      )}
      {shown?.isHidden && tool("Show it again", () => setHidden(false))}
      {target.state === "UPHELD" &&
        target.targetType !== "USER" &&
        shown &&
        !shown.isHidden &&
        tool("Hide it", () => setHidden(true))}
      <Dialog
        title={`${asking.value === "DISMISSED" ? "Dismiss" : "Uphold"}: ${what}`}
        isOpen={asking.value !== null}
        onClose={close}
      >
        {asking.value && (
          <DecideForm reports={reports} state={asking.value} shown={shown} onEnd={close} />
        )}
      </Dialog>
    </div>
  );
}

function Reported({ reports }: { reports: Report[] }) {
  const target = reports[0]!;
  const { data, error } = useLoad(
    (signal) => look(target, signal),
    [target.targetId, changed.value],
  );
  const text = data?.text ?? "";
  return (
    <li class="card stack report">
      <h2>
        <span class="soft">{kinds[target.targetType]}</span>{" "}
        {data ? <Link href={data.href}>{data.title}</Link> : <code>{target.targetId}</code>}{" "}
        {data?.isHidden && <span class="chip">hidden</span>}
      </h2>
      {isMissing(error) && <p class="soft">It is gone, or its author has taken it back.</p>}
      {error !== undefined && !isMissing(error) && <ProblemBox error={error} />}
      {data && target.targetType !== "USER" && target.targetType !== "COMMENT" && (
        <p class="by">
          by <AuthorLink id={data.authorId} name={data.authorName} />
        </p>
      )}
      {text && (
        <blockquote class="report-text">
          {text.slice(0, excerptMax)}
          {text.length > excerptMax && "…"}
        </blockquote>
      )}
      <ul class="stack" aria-label="Reports">
        {reports.map((report) => (
          <Reporter key={report.reportId} report={report} />
        ))}
      </ul>
      <Decisions reports={reports} />
      <Tools reports={reports} shown={data} />
    </li>
  );
}

export function ReportsPage() {
  const asked = query.value.get("state");
  const tab = tabs.find((it) => it.state === asked) ?? tabs[0]!;
  const found = usePages(
    async (cursor, signal) =>
      isModerator() ? listReports(tab.state, cursor, signal) : { items: [] },
    [tab.state, user.value?.sub],
  );
  if (!isModerator()) {
    return (
      <Empty isPage title="For moderators">
        <p>What you have reported is with them.</p>
        <Link class="button" href="/stories">
          All stories
        </Link>
      </Empty>
    );
  }
  const shown = grouped(found.items.filter((report) => report.state === tab.state));
  return (
    <>
      <PageTitle
        title="Reports"
        line="What readers say should not be here, and what becomes of it."
      />
      <nav class="tabs" aria-label="Reports by state">
        {tabs.map(({ state, label }) => (
          <Link
            key={state}
            href={state === "OPEN" ? "/stories/reports" : `/stories/reports?state=${state}`}
            aria-current={state === tab.state ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {found.error !== undefined && <ProblemBox error={found.error} onRetry={found.reload} />}
      {!found.first && found.error === undefined && <Loading />}
      {found.first && shown.length === 0 && !found.cursor && <Empty title={tab.empty} />}
      <ul class="stack" aria-label={tab.label}>
        {shown.map((reports) => (
          <Reported key={`${reports[0]!.targetId} ${tab.state}`} reports={reports} />
        ))}
      </ul>
      <ReadOn cursor={found.cursor} read={found.more} />
    </>
  );
}
