-- The bytes that a signature covers, of each request of a webhook whose sender signs: the same bytes are the same delivery, whatever the
-- unsigned query and headers say. Kept as long as deliveries.
create table trigger_signed_requests (
  trigger_id uuid not null references triggers on delete cascade,
  -- SHA-256
  signed_hash bytea not null,
  -- The delivery that the bytes came with first.
  delivery_id text not null,
  received_at timestamptz not null default now(),
  primary key (trigger_id, signed_hash)
);

create index trigger_signed_requests_by_time on trigger_signed_requests (received_at);
