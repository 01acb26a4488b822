// What accounts are made of, as fields of a form.

import { type FormState, TextField } from "../shared/form";

export const EmailField = ({ state }: { state: FormState }) => (
  <TextField
    label="E-mail"
    name="email"
    type="email"
    autocomplete="username"
    state={state}
    required
  />
);

interface NewPasswordFieldProps {
  label: string;
  name: string;
  state: FormState;
}

export const NewPasswordField = ({ label, name, state }: NewPasswordFieldProps) => (
  <TextField
    label={label}
    name={name}
    type="password"
    autocomplete="new-password"
    hint="10 to 128 characters"
    state={state}
    required
  />
);
