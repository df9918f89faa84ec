-- Requests that named a key, and what they were answered.
create table kernel_idempotency (
  -- SHA-256 of account, route and key
  id bytea primary key check (octet_length(id) = 32),
  -- SHA-256 of what was sent: the same key with something else is a mistake
  request bytea not null check (octet_length(request) = 32),
  -- the name of the work that is done for it, the same however often it is tried
  work_id uuid not null,
  -- who is at it, and until when that is believed without hearing more; null: nobody
  holder uuid,
  held_until timestamptz,
  -- null: no answer that is kept
  status smallint,
  headers jsonb,
  body bytea,
  created_at timestamptz not null default now(),
  check ((holder is null) = (held_until is null)),
  check (status is null or holder is null)
);

create index kernel_idempotency_old on kernel_idempotency (created_at);
