import { defineQueue } from '#kernel/work'

/** A row of the table `chores`, which the tests use as their queue. */
export interface Chore {
  readonly id: number
  readonly label: string
  readonly result: string | null
  readonly work_state: 'queued' | 'running' | 'finished'
  readonly work_worker: string | null
  readonly work_fence: number
  readonly work_attempts: number
  readonly work_due_at: Date
}

export const chores = defineQueue<Chore>({ name: 'chores', table: 'chores', key: 'id' })

export const choresTable = `
  create table chores (
    id bigint generated always as identity primary key,
    label text not null,
    result text,
    work_state text not null default 'queued' check (work_state in ('queued', 'running', 'finished')),
    work_due_at timestamptz not null default now(),
    work_priority smallint not null default 0,
    work_worker uuid,
    work_fence bigint not null default 0,
    work_attempts integer not null default 0,
    check ((work_state = 'running') = (work_worker is not null))
  );
  create index chores_due on chores (work_priority desc, work_due_at) where work_state = 'queued';
  create index chores_held on chores (work_worker) where work_state = 'running';

  -- Insert-only: every start of every row, and who started it.
  create table chore_starts (
    chore bigint not null,
    fence bigint not null,
    worker uuid not null,
    started_at timestamptz not null default clock_timestamp(),
    primary key (chore, fence)
  );
`
