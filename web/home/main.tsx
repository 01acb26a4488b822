import { lazyView } from "../shared/lazy_view";
import { path } from "../shared/router";
import { Shell, start } from "../shared/shell";
import { Home } from "./home";
import { SignIn, SignUp } from "./sign";

const AccountView = lazyView(async () => (await import("./account")).AccountView);
const Confirm = lazyView(async () => (await import("./codes")).Confirm);
const Forgot = lazyView(async () => (await import("./codes")).Forgot);

function Page() {
  const view = () => {
    if (path.value === "/signin") return <SignIn />;
    if (path.value === "/signup") return <SignUp />;
    if (path.value === "/confirm") return <Confirm />;
    if (path.value === "/forgot") return <Forgot />;
    if (path.value === "/account") return <AccountView />;
    return <Home />;
  };
  return (
    <Shell page="" title="">
      {view()}
    </Shell>
  );
}

start("", () => <Page />);
