-- A row for each call that somebody was asked for or that was answered from memory, and for each earlier attempt of one that
-- may have cost money. Written when it is over.
create table model_calls (
  -- Version 7, drawn when the call began: their order is the order of time, to the millisecond.
  id                  uuid        primary key,
  -- Whose usage it is. What was used stays when the account goes.
  account_id          text        not null,
  -- What it was for: `gateway`, or the capability that asked.
  source              text        not null,
  provider            text        not null,
  model               text        not null,
  -- As the caller wrote it.
  requested_model     text        not null,
  started_at          timestamptz not null,
  input_tokens        bigint      check (input_tokens >= 0),
  cached_input_tokens bigint      check (cached_input_tokens >= 0),
  output_tokens       bigint      check (output_tokens >= 0),
  -- Null when the model is unpriced.
  micro_dollars       bigint      check (micro_dollars >= 0),
  price_source        text        not null,
  price_version       text,
  -- The provider did not say all it counted: tokens and cost are the most it can have been.
  estimated           boolean     not null,
  -- Null when its process was lost.
  latency_ms          integer     check (latency_ms >= 0),
  first_token_ms      integer     check (first_token_ms >= 0),
  outcome             text        not null check (outcome in ('answered', 'failed', 'cancelled', 'lost')),
  failure_code        text,
  cache_hit           boolean     not null,
  attempts            integer     not null check (attempts > 0)
);

create index model_calls_by_account on model_calls (account_id, id);

-- The rows of model_calls added up, kept when those are gone. Room is left on the pages, and no counter is indexed, so that
-- counting rewrites no index.
create table model_usage_days (
  account_id          text    not null,
  -- The day a call began on, in UTC.
  day                 date    not null,
  provider            text    not null,
  model               text    not null,
  source              text    not null,
  calls               bigint  not null,
  -- Failed and lost ones.
  failures            bigint  not null,
  cancelled           bigint  not null,
  cache_hits          bigint  not null,
  unpriced_calls      bigint  not null,
  input_tokens        bigint  not null,
  cached_input_tokens bigint  not null,
  output_tokens       bigint  not null,
  micro_dollars       bigint  not null,
  -- Of the calls that a provider answered: all but failures, cancelled and cache hits.
  latency_ms_sum      bigint  not null,
  first_token_ms_sum  bigint  not null,
  first_token_count   bigint  not null,
  primary key (account_id, day, provider, model, source)
) with (fillfactor = 70);

create index model_usage_days_by_day on model_usage_days (day);

-- What an account has used of a day's budget, and what is set aside for calls that run.
create table model_spend_days (
  account_id text   not null,
  day        date   not null,
  spent      bigint not null check (spent >= 0),
  reserved   bigint not null check (reserved >= 0),
  primary key (account_id, day)
) with (fillfactor = 50);

-- Money set aside for a call that runs, with what has to be known of it should its process be lost.
create table model_reservations (
  id              uuid        primary key,
  account_id      text        not null,
  -- The day of `reserved_at` in UTC: the one whose budget it comes from, whenever the call ends.
  day             date        not null,
  micro_dollars   bigint      not null check (micro_dollars > 0),
  reserved_at     timestamptz not null,
  -- Pushed forward while its process lives.
  expires_at      timestamptz not null,
  call_id         uuid        not null,
  source          text        not null,
  provider        text        not null,
  model           text        not null,
  requested_model text        not null,
  price_source    text        not null,
  price_version   text,
  attempts        integer     not null
);

create index model_reservations_by_expiry on model_reservations (expires_at);

-- Prices an operator set: whole micro-dollars for a million tokens.
create table model_prices (
  provider     text        not null,
  model        text        not null,
  input        bigint      not null check (input >= 0),
  cached_input bigint      not null check (cached_input >= 0),
  output       bigint      not null check (output >= 0),
  updated_at   timestamptz not null default now(),
  updated_by   text,
  primary key (provider, model)
);

-- Keys of providers that were set in the console, sealed with the secret of this installation.
create table model_provider_keys (
  provider   text        primary key,
  sealed     text        not null,
  -- The last four characters, for people to tell keys apart.
  hint       text        not null,
  updated_at timestamptz not null default now(),
  updated_by text
);
