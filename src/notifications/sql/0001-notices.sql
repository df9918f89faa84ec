-- Words for people: one row is one mail, or one message to Slack. A partition for each way out is a queue of its own, so that a mail
-- server that does not answer holds up no message to Slack.
create table notices (
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('mail', 'slack')),
  -- an address, or a channel
  recipient text not null,
  -- of a mail
  subject text,
  body text not null,
  -- what it is about, such as the id of an execution
  about text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'given_up')),
  attempts integer not null default 0,
  -- what came of the last try; null when it went well
  problem text,
  created_at timestamptz not null default now(),
  attempted_at timestamptz,
  finished_at timestamptz,
  work_state text not null default 'queued' check (work_state in ('queued', 'running', 'finished')),
  work_due_at timestamptz not null default now(),
  work_priority smallint not null default 0,
  work_worker uuid,
  work_fence bigint not null default 0,
  work_attempts integer not null default 0,
  primary key (id, kind),
  check ((kind = 'mail') = (subject is not null)),
  check ((state = 'pending') = (finished_at is null)),
  check ((work_state = 'running') = (work_worker is not null))
) partition by list (kind);

create table notices_mail partition of notices for values in ('mail');
create table notices_slack partition of notices for values in ('slack');

create index notices_due on notices (work_priority desc, work_due_at) where work_state = 'queued';
create index notices_held on notices (work_worker) where work_state = 'running';
create index notices_by_end on notices (finished_at) where state <> 'pending';
create index notices_waiting on notices (created_at) where state = 'pending';
