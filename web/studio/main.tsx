import { isIn } from "../shared/api";
import { lazyView } from "../shared/lazy_view";
import type { Suggestion } from "../shared/search_box";
import { type Section, Shell, start } from "../shared/shell";
import { type ViewList, Views } from "../shared/views";
import { AccessPage } from "./access_page";
import { DesignPage } from "./design_page";
import { ForAdmins } from "./for_admins";
import { ItemsPage } from "./items_page";
import { listDesigns, listTables } from "./server";
import { MetricsPage } from "./metrics_page";
import { StreamPage } from "./stream_page";
import { TablePage } from "./table_page";
import { TablesPage } from "./tables_page";
import { ViewPage } from "./view_page";

const ConsumersPage = lazyView(async () => (await import("./consumers_page")).ConsumersPage);
const ConsumerPage = lazyView(async () => (await import("./consumers_page")).ConsumerPage);
const JobsPage = lazyView(async () => (await import("./jobs_page")).JobsPage);
const AuditPage = lazyView(async () => (await import("./audit_page")).AuditPage);
const AccountsPage = lazyView(async () => (await import("./accounts_page")).AccountsPage);

const forAll: Section[] = [
  { href: "/studio", label: "Tables", icon: "table", key: "t" },
  { href: "/studio/view", label: "Single-table view", icon: "view", key: "v" },
  { href: "/studio/access", label: "Access patterns", icon: "access", key: "a" },
  { href: "/studio/designs", label: "Designs", icon: "design", key: "d" },
  { href: "/studio/streams", label: "Streams", icon: "stream", key: "s" },
  { href: "/studio/metrics", label: "Metrics", icon: "chart", key: "m" },
];
const forAdmins: Section[] = [
  { href: "/studio/consumers", label: "Consumers", icon: "tasks", key: "c" },
  { href: "/studio/jobs", label: "Jobs", icon: "clock", key: "j" },
  { href: "/studio/accounts", label: "Accounts", icon: "user", key: "u" },
  { href: "/studio/audit", label: "Audit", icon: "shield", key: "w" },
];

async function suggest(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  const [tables, designs] = await Promise.all([listTables(signal), listDesigns(signal)]);
  const all = [
    ...tables.map((name) => ({
      href: `/studio/tables/${encodeURIComponent(name)}`,
      label: name,
      detail: "table",
    })),
    ...designs.map(({ name }) => ({
      href: `/studio/view/${encodeURIComponent(name)}`,
      label: name,
      detail: "design, as a view",
    })),
    ...designs.map(({ name }) => ({
      href: `/studio/access/${encodeURIComponent(name)}`,
      label: name,
      detail: "access patterns",
    })),
  ];
  const wanted = text.toLowerCase();
  return all.filter((it) => it.label.toLowerCase().includes(wanted));
}

// The list of views.
const views: ViewList = [
  ["/studio", () => <TablesPage />],
  ["/studio/tables/:table", ({ table = "" }) => <ItemsPage key={table} name={table} />],
  ["/studio/tables/:table/settings", ({ table = "" }) => <TablePage key={table} name={table} />],
  ["/studio/view", () => <ViewPage />],
  ["/studio/view/:design", ({ design = "" }) => <ViewPage key={design} name={design} />],
  ["/studio/access", () => <AccessPage />],
  ["/studio/access/:design", ({ design = "" }) => <AccessPage key={design} name={design} />],
  [
    "/studio/access/:design/:access",
    ({ design = "", access }) => <AccessPage key={design} name={design} access={access} />,
  ],
  ["/studio/designs", () => <DesignPage />],
  ["/studio/designs/:design", ({ design = "" }) => <DesignPage key={design} name={design} />],
  ["/studio/metrics", () => <MetricsPage />],
  [
    "/studio/consumers",
    () => (
      <ForAdmins title="Consumers">
        <ConsumersPage />
      </ForAdmins>
    ),
  ],
  [
    "/studio/consumers/:app/:consumer",
    ({ app = "", consumer = "" }) => (
      <ForAdmins title="Consumers">
        <ConsumerPage key={`${app} ${consumer}`} app={app} consumer={consumer} />
      </ForAdmins>
    ),
  ],
  [
    "/studio/jobs",
    () => (
      <ForAdmins title="Jobs">
        <JobsPage />
      </ForAdmins>
    ),
  ],
  [
    "/studio/audit",
    () => (
      <ForAdmins title="Audit">
        <AuditPage />
      </ForAdmins>
    ),
  ],
  [
    "/studio/accounts",
    () => (
      <ForAdmins title="Accounts">
        <AccountsPage />
      </ForAdmins>
    ),
  ],
  ["/studio/streams", () => <StreamPage />],
  ["/studio/streams/:table", ({ table = "" }) => <StreamPage key={table} name={table} />],
];

function Page() {
  return (
    <Shell
      page="studio"
      title="Studio"
      sections={isIn("admin") ? [...forAll, ...forAdmins] : forAll}
      suggest={suggest}
      searchLabel="Find a table or design"
    >
      <Views views={views} home={{ href: "/studio", label: "All tables" }} />
    </Shell>
  );
}

start("studio", () => <Page />);
