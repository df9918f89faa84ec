-- How each provider is, as the last probe of whichever replica saw it.
create table model_provider_states (
  provider    text        primary key,
  -- What everybody is told.
  status      text        not null check (status in ('online', 'degraded', 'offline', 'unconfigured')),
  -- What the last probe saw: a change is believed when two in a row see it.
  seen_status text        not null check (seen_status in ('online', 'degraded', 'offline', 'unconfigured')),
  response_ms integer     check (response_ms >= 0),
  -- The ids of the models it can answer with.
  models      text[]      not null,
  -- What is wrong, for people; null when nothing is.
  last_error  text,
  checked_at  timestamptz not null,
  -- Since when it has the status that is told.
  changed_at  timestamptz not null
);
