// Telling the moderators.

import { useSignal } from "@preact/signals";
import { user } from "../shared/api";
import { Dialog } from "../shared/dialog";
import { AreaField, FormProblem, SelectField, SubmitButton, useForm } from "../shared/form";
import { Icon } from "../shared/icons";
import { done } from "../shared/toast";
import { report, type Target } from "./server";

export const reasons = [
  { value: "SPAM", label: "Advertising or spam" },
  { value: "HARASSMENT", label: "Harassment" },
  { value: "HATE", label: "Hate" },
  { value: "SEXUAL", label: "Sexual content that is not marked" },
  { value: "VIOLENCE", label: "Violence that is not marked" },
  { value: "COPYRIGHT", label: "Somebody else's text" },
  { value: "OTHER", label: "Something else" },
];

export function ReportButton({ target, what }: { target: Target; what: string }) {
  const isOpen = useSignal(false);
  const reason = useSignal("SPAM");
  const { state, onSubmit } = useForm(async (data) => {
    await report({
      ...target,
      reason: reason.value,
      text: String(data.get("text") ?? "").trim() || undefined,
    });
    isOpen.value = false;
    done("Thank you. The moderators will look at it");
  });
  if (!user.value) return null;
  return (
    <>
      <button
        type="button"
        class="quiet small"
        aria-label={`Report ${what}`}
        onClick={() => (isOpen.value = true)}
      >
        <Icon name="flag" /> Report
      </button>
      <Dialog title={`Report ${what}`} isOpen={isOpen.value} onClose={() => (isOpen.value = false)}>
        <form class="form" onSubmit={onSubmit} noValidate>
          <SelectField
            label="What is wrong with it"
            name="reason"
            state={state.value}
            options={reasons}
            value={reason.value}
            onChange={(value) => (reason.value = value)}
          />
          <AreaField label="In your words, if you like" name="text" rows={3} state={state.value} />
          <FormProblem state={state.value} />
          <div class="form-end">
            <button type="button" onClick={() => (isOpen.value = false)}>
              Cancel
            </button>
            <SubmitButton state={state.value}>Send report</SubmitButton>
          </div>
        </form>
      </Dialog>
    </>
  );
}
