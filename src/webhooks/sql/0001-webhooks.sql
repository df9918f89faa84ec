-- Who is told. A subscription is made and verified by its owner; a callback was named when a piece of work was started, and hears of that alone.
create table webhooks (
  id uuid primary key,
  kind text not null check (kind in ('subscription', 'callback')),
  api text not null check (api in ('workflows', 'orchestra')),
  account_id uuid not null,
  url text not null,
  -- what a callback is about; null: everything of the account
  subject text,
  events text[] not null check (cardinality(events) > 0),
  -- { flow_ids, min_cost, priority }; what is absent filters nothing
  filters jsonb not null,
  -- { max_attempts, retry_delay, exponential_backoff, timeout }; what is absent has its default
  retry_policy jsonb not null,
  -- { content_type, include_full_context, include_intermediate_results, compression }
  format jsonb not null,
  -- sealed, both
  secret text not null,
  previous_secret text,
  previous_secret_until timestamptz,
  status text not null check (status in ('pending_verification', 'active', 'disabled')),
  disabled_reason text check (disabled_reason in ('owner', 'gone', 'failing')),
  disabled_at timestamptz,
  -- the SHA-256 of what proves the owner's will
  verification_hash text,
  verification_expires_at timestamptz,
  verified_at timestamptz,
  -- since when nothing arrived; null: the last one did
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'callback') = (subject is not null)),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check ((previous_secret is null) = (previous_secret_until is null))
);

create index webhooks_by_account on webhooks (account_id, created_at, id) where kind = 'subscription';
create index webhooks_by_subject on webhooks (subject) where kind = 'callback';
create index callbacks_by_age on webhooks (created_at) where kind = 'callback';

-- What a webhook is to be told about one subject, one after the other. The lane is the entry of the queue, not the delivery: so what
-- comes later waits, and who adds to a lane and who ends it meet at one row.
create table webhook_lanes (
  id bigint generated always as identity primary key,
  webhook_id uuid not null references webhooks on delete cascade,
  subject text not null,
  -- grows with whatever is added, so that who is about to end the lane notices
  added bigint not null default 1,
  work_state text not null default 'queued' check (work_state in ('queued', 'running', 'finished')),
  work_due_at timestamptz not null default now(),
  work_priority smallint not null default 0,
  work_worker uuid,
  work_fence bigint not null default 0,
  work_attempts integer not null default 0,
  unique (webhook_id, subject),
  check ((work_state = 'running') = (work_worker is not null))
);

create index webhook_lanes_due on webhook_lanes (work_priority desc, work_due_at) where work_state = 'queued';
create index webhook_lanes_held on webhook_lanes (work_worker) where work_state = 'running';

create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  -- the order within a lane
  sequence bigint generated always as identity,
  webhook_id uuid not null references webhooks on delete cascade,
  subject text not null,
  event text not null,
  occurred_at timestamptz not null,
  -- what stands in the envelope as it is sent, besides event, time, webhook and signature
  content jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  -- why it is dead
  reason text,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- the last try: what was sent, what came back
  attempted_at timestamptz,
  duration_ms double precision,
  request jsonb,
  answer jsonb,
  error jsonb,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((state = 'pending') = (finished_at is null))
);

create index webhook_deliveries_pending on webhook_deliveries (webhook_id, subject, sequence) where state = 'pending';
create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, sequence);
create index webhook_deliveries_by_end on webhook_deliveries (finished_at) where state <> 'pending';
create index webhook_deliveries_by_subject on webhook_deliveries (webhook_id, subject);
