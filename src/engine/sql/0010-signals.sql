-- Events that were sent to the executions of an account. A step that begins to wait later finds them here, so the order does not matter.
create table engine_signals (
  id uuid primary key,
  account_id uuid not null,
  event_name text not null,
  correlation_key text not null,
  -- JSON, as text
  data text not null,
  received_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index engine_signals_open on engine_signals (account_id, event_name, correlation_key, received_at);
-- Human tasks that were closed, for their list.
create index engine_waits_human_closed on engine_waits (created_at) where kind = 'human' and state <> 'open';

create index engine_signals_expired on engine_signals (expires_at);
