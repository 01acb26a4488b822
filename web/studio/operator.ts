// What administrators ask of the server: those that follow the tables, jobs, accounts, and what
// they have done themselves.

import { address, get, type List, post, type User } from "../shared/api";
import type { Job } from "../shared/job";

const root = "/api/operator/v1";
const consumers = `${root}/consumers`;
const users = "/auth/v1/users";
const part = encodeURIComponent;

export interface Consumer {
  app: string;
  consumer: string;
  isRunning: boolean;
  lagMs: number;
  changes: number;
  retries: number;
  givenUp: number;
}

export interface DeadLetter {
  sequence: string;
  error: string;
  tries: number;
  at: string;
}

interface Name {
  app: string;
  consumer: string;
}
const pathOf = ({ app, consumer }: Name) => `${consumers}/${part(app)}/${part(consumer)}`;

export const listConsumers = async (signal?: AbortSignal) =>
  (await get<List<Consumer>>(consumers, { signal })).data.items;
export const listDeadLetters = async (name: Name, cursor?: string, signal?: AbortSignal) =>
  (
    await get<List<DeadLetter>>(address(`${pathOf(name)}/dead-letters`, { limit: 50, cursor }), {
      signal,
    })
  ).data;
export const replay = async (name: Name) =>
  (await post<{ done: number; failed: number }>(`${pathOf(name)}/replay`)).data;

/** Those that somebody looks for, first. */
export const jobStates = ["RUNNING", "QUEUED", "FAILED", "DONE", "CANCELLED"] as const;
export interface ListedJob extends Job {
  app: string;
  kind: string;
  sub: string;
  createdAt: string;
}
export const listJobs = async (
  query: { state?: ListedJob["state"]; cursor?: string },
  signal?: AbortSignal,
) =>
  (await get<List<ListedJob>>(address(`${root}/jobs`, { ...query, limit: 50 }), { signal })).data;

export interface AuditEntry {
  entryId: string;
  action: "APPROVED" | "DISABLED" | "GROUPS_SET" | "REPLAYED";
  actor?: string;
  actorName?: string;
  actorEmail?: string;
  target?: string;
  targetName?: string;
  targetEmail?: string;
  groups: string[];
  app?: string;
  consumer?: string;
  at: string;
}
export const listAudit = async (
  query: { target?: string; cursor?: string },
  signal?: AbortSignal,
) =>
  (await get<List<AuditEntry>>(address(`${root}/audit`, { ...query, limit: 50 }), { signal })).data;

export const statuses = ["CONFIRMED", "PENDING_APPROVAL", "UNCONFIRMED", "DISABLED"] as const;
export type AccountStatus = (typeof statuses)[number];
export interface Account extends User {
  email: string;
  name: string;
  status: AccountStatus;
  groups: string[];
  createdAt: string;
}

export const listAccounts = async (
  query: { status?: AccountStatus; email?: string; cursor?: string },
  signal?: AbortSignal,
) => (await get<List<Account>>(address(users, { ...query, limit: 50 }), { signal })).data;
const change = async (account: Account, what: string, body?: object) =>
  (await post<Account>(`${users}/${part(account.sub)}/${what}`, body)).data;
export const approve = (account: Account) => change(account, "approve");
export const disable = (account: Account) => change(account, "disable");
export const setGroups = (account: Account, groups: string[]) =>
  change(account, "groups", { groups });
