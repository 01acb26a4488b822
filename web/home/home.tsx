import { user } from "../shared/api";
import { Icon } from "../shared/icons";
import { CopyButton } from "../shared/pieces";
import { appPages, openApps, running } from "../shared/shell";

// What is no design that somebody serves.
const own = new Set([...appPages.map((app) => app.name), "studio", "auth", "operator", "files"]);

// A trestle carrying a table of items, in a few strokes.
function Art() {
  const rows = [0, 1, 2, 3, 4, 5, 6];
  return (
    <svg class="hero-art" viewBox="0 0 960 190" aria-hidden="true" focusable="false">
      {rows.map((i) => (
        <g key={i} class={`hue-${(i * 5) % 12}`}>
          {[0, 1, 2].slice(0, 1 + ((i * 7) % 3)).map((j) => (
            <rect
              class="hue-fill"
              x={70 + i * 120}
              y={66 - j * 30}
              width={96}
              height={24}
              rx={5}
              stroke-width={1.5}
            />
          ))}
        </g>
      ))}
      <g fill="none" stroke="currentColor" stroke-width={7} stroke-linecap="round">
        <path d="M30 99h900" />
        <path d="M200 103 158 182M240 103l42 79M176 148h88" />
        <path d="M720 103l-42 79M760 103l42 79M696 148h88" />
      </g>
    </svg>
  );
}

export function Home() {
  const apps = openApps.value;
  const designs = (running.value ?? []).filter((name) => !own.has(name));
  const endpoint = `http://${location.hostname}:8000`;
  const command = `aws dynamodb list-tables --endpoint-url ${endpoint} --region us-east-1`;
  return (
    <>
      <section class="hero">
        <h1>The frame that carries your tables.</h1>
        <p class="hero-line">
          This is Trestle, a DynamoDB-compatible database on your own machine. It understands
          single-table designs, checks them, runs them, and shows you what is inside.
        </p>
        <Art />
      </section>
      <section class="stack" aria-labelledby="inside">
        <h2 id="inside">{apps.length > 0 ? "What is running here" : "Look inside"}</h2>
        <div class="tiles">
          {apps.map((app) => (
            <a key={app.name} class="tile" href={`/${app.name}`} data-app={app.name}>
              <Icon name={app.icon} />
              <h3>{app.title}</h3>
              <p>{app.line}</p>
            </a>
          ))}
          <a class="tile" href="/studio" data-app="studio">
            <Icon name="table" />
            <h3>Studio</h3>
            <p>Tables, items, access patterns with their cost, designs and streams</p>
          </a>
          {designs.map((name) => (
            <a
              key={name}
              class="tile"
              href={`/studio/view/${encodeURIComponent(name)}`}
              data-app="studio"
            >
              <Icon name="design" />
              <h3>{name}</h3>
              <p>
                A design that is served here, at <code>/api/{name}/v1</code>
              </p>
            </a>
          ))}
        </div>
      </section>
      <section class="card stack" aria-labelledby="programs">
        <h2 id="programs">From your programs</h2>
        <p>
          Every AWS SDK and the AWS command line talk to the DynamoDB API, on port 8000 unless it
          was started with another. Any credentials will do while no keys are enforced.
        </p>
        <div class="row">
          <pre class="command" tabIndex={0}>
            <code>{command}</code>
          </pre>
          <CopyButton text={command} />
        </div>
      </section>
      {!user.value && apps.length > 0 && (
        <p class="row">
          <a class="button primary" href="/signup">
            Make an account
          </a>
          <a class="button" href="/signin">
            Sign in
          </a>
        </p>
      )}
    </>
  );
}
