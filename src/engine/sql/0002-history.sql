-- What executions that ended took and made, added up: by minute, hour and day (`grain`), at the moment they ended, in UTC.
-- Rows of the flow '*' hold all flows together, so that what is asked for most is read from few rows. Nothing here needs the
-- executions themselves, and all of it is sums: taking an end back is adding it with the opposite sign.
-- Room is left on the pages, and no sum is indexed, so that counting rewrites no index.

-- `took` counts durations: the first element those below the first bound, and so on. The bounds are in the code that adds.
create function engine_add_counts(known integer[], more integer[]) returns integer[]
language sql immutable parallel safe
return array(select coalesce(pair.one, 0) + coalesce(pair.other, 0) from unnest(known, more) as pair (one, other));

create table engine_history_flows (
  grain                   text             not null check (grain in ('minute', 'hour', 'day')),
  at                      timestamptz      not null,
  flow_id                 text             not null,
  executions              bigint           not null,
  completed               bigint           not null,
  failed                  bigint           not null,
  cancelled               bigint           not null,
  -- Those with a batch, and the items of all batches.
  batches                 bigint           not null,
  batch_items             bigint           not null,
  -- Of the completed ones: how long they took, what they cost and the squares of that.
  duration_ms             bigint           not null,
  took                    integer[]        not null,
  completed_spent         bigint           not null,
  completed_spent_squares double precision not null,
  -- Of those that began: how long they waited.
  begun                   bigint           not null,
  queued_ms               bigint           not null,
  -- Whole micro-dollars. Nothing is known of what models without a price took in the unpriced ones.
  spent                   bigint           not null,
  unpriced                bigint           not null,
  decisions               bigint           not null,
  cpu_ms                  bigint           not null,
  peak_bytes              bigint           not null,
  primary key (flow_id, grain, at)
) with (fillfactor = 70);

create index engine_history_flows_by_time on engine_history_flows (grain, at);

-- Steps: of each flow by their ids, and of the flow '*' by their type alone, with the id '*'.
create table engine_history_steps (
  grain             text             not null check (grain in ('minute', 'hour', 'day')),
  at                timestamptz      not null,
  flow_id           text             not null,
  step_id           text             not null,
  type              text             not null,
  completed         bigint           not null,
  failed            bigint           not null,
  skipped           bigint           not null,
  attempts          bigint           not null,
  -- Of the completed ones.
  duration_ms       bigint           not null,
  took              integer[]        not null,
  completed_spent   bigint           not null,
  spent             bigint           not null,
  input_tokens      bigint           not null,
  output_tokens     bigint           not null,
  ai_calls          bigint           not null,
  cache_hits        bigint           not null,
  network_requests  bigint           not null,
  ai_ms             bigint           not null,
  api_ms            bigint           not null,
  quality_sum       double precision not null,
  quality_count     bigint           not null,
  confidence_sum    double precision not null,
  confidence_count  bigint           not null,
  primary key (flow_id, grain, at, step_id, type)
) with (fillfactor = 70);

create index engine_history_steps_by_time on engine_history_steps (grain, at);

-- What models were asked for by steps.
create table engine_history_models (
  grain          text             not null check (grain in ('minute', 'hour', 'day')),
  at             timestamptz      not null,
  flow_id        text             not null,
  provider       text             not null,
  model          text             not null,
  completed      bigint           not null,
  failed         bigint           not null,
  input_tokens   bigint           not null,
  output_tokens  bigint           not null,
  spent          bigint           not null,
  ai_calls       bigint           not null,
  cache_hits     bigint           not null,
  ai_ms          bigint           not null,
  -- Of the completed steps: how long a call took.
  took           integer[]        not null,
  quality_sum    double precision not null,
  quality_count  bigint           not null,
  primary key (flow_id, grain, at, provider, model)
) with (fillfactor = 70);

create index engine_history_models_by_time on engine_history_models (grain, at);

create table engine_history_accounts (
  grain       text        not null check (grain in ('minute', 'hour', 'day')),
  at          timestamptz not null,
  flow_id     text        not null,
  account_id  uuid        not null,
  executions  bigint      not null,
  completed   bigint      not null,
  failed      bigint      not null,
  spent       bigint      not null,
  primary key (flow_id, grain, at, account_id)
) with (fillfactor = 70);

create index engine_history_accounts_by_time on engine_history_accounts (grain, at);

-- Why executions failed.
create table engine_history_errors (
  grain       text        not null check (grain in ('minute', 'hour', 'day')),
  at          timestamptz not null,
  flow_id     text        not null,
  code        text        not null,
  executions  bigint      not null,
  primary key (flow_id, grain, at, code)
) with (fillfactor = 70);

create index engine_history_errors_by_time on engine_history_errors (grain, at);
