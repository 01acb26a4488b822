import { path } from "../shared/router";
import { Shell, start } from "../shared/shell";
import { Home } from "./home";
import { SignIn, SignUp } from "./sign";

function Page() {
  const view = () => {
    if (path.value === "/signin") return <SignIn />;
    if (path.value === "/signup") return <SignUp />;
    return <Home />;
  };
  return (
    <Shell page="" title="">
      {view()}
    </Shell>
  );
}

start("", () => <Page />);
