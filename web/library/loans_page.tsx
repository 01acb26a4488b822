// Who has what, who should bring it back, and who ever had something.

import { useSignal } from "@preact/signals";
import { dayText } from "../shared/dates";
import { changed, touch } from "../shared/live";
import { Empty, hueOf, Loading, manyText, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, query, setQuery } from "../shared/router";
import { attempt, done } from "../shared/toast";
import { Cover, dueText, hrefOf } from "./pieces";
import { isItemLeaving, listLoans, type Loan, takeBack } from "./server";

const states = [
  { name: "", label: "Out" },
  { name: "overdue", label: "Overdue" },
  { name: "all", label: "History" },
];

function LoanRow({ loan }: { loan: Loan }) {
  const isBusy = useSignal(false);
  const { item } = loan;
  const back = async () => {
    isBusy.value = true;
    await attempt(async () => {
      const place = { libraryId: item.libraryId, id: item.id };
      await takeBack(place, { borrower: loan.borrower });
      done(`${item.title} is back from ${loan.borrower}`);
    });
    isBusy.value = false;
    touch();
  };
  return (
    <li class="loan">
      <Cover item={item} className="piece-small" />
      <span class="item-words">
        <Link class="item-title" href={hrefOf.item(item)}>
          {item.title}
        </Link>
        <span class="soft">
          {item.libraryName}, since {dayText(loan.lentAt)}
          {loan.returnedAt && ` until ${dayText(loan.returnedAt)}`}
        </span>
      </span>
      <span class="loan-days">
        <strong>{loan.days}</strong> {loan.days === 1 ? "day" : "days"}
      </span>
      <span class="loan-end">
        {!loan.returnedAt && loan.dueDate && (
          <span class={`chip lent-chip ${loan.overdue ? "is-late" : ""}`}>
            {dueText(loan.dueDate)}
          </span>
        )}
        {loan.returnedAt ? (
          <span class="chip">back</span>
        ) : (
          <button
            type="button"
            class="small"
            disabled={isBusy.value}
            aria-busy={isBusy.value}
            aria-label={`It is back: ${item.title}`}
            onClick={() => void back()}
          >
            It is back
          </button>
        )}
      </span>
    </li>
  );
}

function Person({ name, loans }: { name: string; loans: Loan[] }) {
  const late = loans.filter((it) => it.overdue).length;
  const initial = [...name][0] ?? "?";
  return (
    <section class="card borrower" aria-label={name}>
      <header class="person">
        <span class={`avatar ${hueOf(name)}`} aria-hidden="true">
          {initial}
        </span>
        <h2>{name}</h2>
        <span class="soft">
          {manyText(loans.length, "thing")}
          {late > 0 && <span class="bad">, {late} overdue</span>}
        </span>
      </header>
      <ul class="loans">
        {loans.map((loan) => (
          <LoanRow key={`${loan.item.id} ${loan.lentAt}`} loan={loan} />
        ))}
      </ul>
    </section>
  );
}

function Nothing({ state, borrower }: { state: string; borrower: string }) {
  if (borrower) {
    return (
      <Empty title={`${borrower} has nothing`}>
        <button type="button" onClick={() => setQuery({ borrower: null })}>
          Show everybody
        </button>
      </Empty>
    );
  }
  return (
    <Empty title={state === "overdue" ? "Nothing is overdue" : "Everything is at home"}>
      <p>
        {state === "overdue"
          ? "Everybody keeps to what you agreed."
          : "Lend something from its own page: to whom, and until when."}
      </p>
      <Link class="button" href="/library/everything">
        Look for something to lend
      </Link>
    </Empty>
  );
}

export function LoansPage() {
  const state = query.value.get("state") ?? "";
  const borrower = query.value.get("borrower") ?? "";
  const { data, error, reload } = useLoad((signal) => listLoans("all", signal), [changed.value]);
  const all = data?.filter((it) => !isItemLeaving(it.item.libraryId, it.item.id)) ?? [];
  const fits: Record<string, (loan: Loan) => boolean> = {
    "": (loan) => !loan.returnedAt,
    overdue: (loan) => loan.overdue,
    all: () => true,
  };
  const people = [...new Set(all.map((loan) => loan.borrower))];
  const shown = all
    .filter(fits[state] ?? fits[""]!)
    .filter((loan) => !borrower || loan.borrower === borrower);
  const groups = [...new Set(shown.map((loan) => loan.borrower))].map((name) => ({
    name,
    loans: shown
      .filter((loan) => loan.borrower === name)
      .sort((a, b) => (state === "all" ? (a.lentAt < b.lentAt ? 1 : -1) : 0)),
  }));
  // Whom one has to ask comes first.
  const isLate = ({ loans }: { loans: Loan[] }) => Number(loans.some((it) => it.overdue));
  groups.sort((a, b) => isLate(b) - isLate(a));
  const hrefFor = (name: string) => {
    const next = new URLSearchParams(query.value);
    if (name) next.set("state", name);
    else next.delete("state");
    return next.size > 0 ? `/library/loans?${next}` : "/library/loans";
  };
  return (
    <>
      <PageTitle title="Loans" line="Who has what of yours.">
        {people.length > 0 && (
          <select
            aria-label="Borrower"
            value={borrower}
            onChange={(event) => setQuery({ borrower: event.currentTarget.value })}
          >
            <option value="">Everybody</option>
            {people.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
      </PageTitle>
      <nav class="tabs" aria-label="Loans by state">
        {states.map(({ name, label }) => (
          <Link key={name} href={hrefFor(name)} aria-current={name === state ? "page" : undefined}>
            {label} <span class="count">{data ? all.filter(fits[name]!).length : ""}</span>
          </Link>
        ))}
      </nav>
      {error !== undefined && <ProblemBox error={error} onRetry={reload} />}
      {!data && error === undefined && <Loading what="Asking around" />}
      {data && shown.length === 0 && <Nothing state={state} borrower={borrower} />}
      {groups.map((group) => (
        <Person key={group.name} name={group.name} loans={group.loans} />
      ))}
      {data && all.length > 0 && (
        <p>
          <Link href="/library/statistics">Who had what, as a picture</Link>
        </p>
      )}
    </>
  );
}
