-- How each service is, as the last round of whichever replica saw it.
create table status_services (
  service         text             primary key,
  -- What everybody is told.
  state           text             not null check (state in ('online', 'degraded', 'offline', 'unconfigured')),
  -- Since when that is told.
  since           timestamptz      not null,
  -- What is believed of it: the same, unless it changes so often that it is held as degraded.
  believed        text             not null check (believed in ('online', 'degraded', 'offline', 'unconfigured')),
  -- What the last probe saw, and how many in a row saw it worse, or better, than is believed.
  seen            text             not null check (seen in ('online', 'degraded', 'offline', 'unconfigured')),
  doubts          integer          not null check (doubts >= 0),
  -- When lately what is believed changed, and when what is seen did.
  changes         timestamptz[]    not null,
  turns           timestamptz[]    not null,
  flapping        boolean          not null,
  -- For people who administer.
  text            text             not null,
  response_ms     double precision not null check (response_ms >= 0),
  metadata        jsonb            not null,
  checked_at      timestamptz      not null
) with (fillfactor = 50);

-- One row: when all services were last looked at, and by whom. Whoever writes a round holds it.
create table status_rounds (
  single boolean   primary key default true check (single),
  at     timestamptz,
  by     text
);

insert into status_rounds default values;

-- What probes saw, added up. What is unconfigured was not looked at. Room is left on the pages, and nothing that grows is indexed, so that
-- counting rewrites no index.
create table status_history (
  service  text             not null,
  grain    text             not null check (grain in ('minute', 'hour')),
  -- The begin of the minute or hour.
  at       timestamptz      not null,
  online   integer          not null,
  degraded integer          not null,
  offline  integer          not null,
  -- Of the probes that were answered.
  timed    integer          not null,
  sum_ms   double precision not null,
  max_ms   double precision not null,
  -- How many took how long, between fixed bounds.
  took     integer[]        not null,
  primary key (grain, at, service)
) with (fillfactor = 70);

-- One row: what an administrator set. What is not in it has its default.
create table status_config (
  single     boolean     primary key default true check (single),
  settings   jsonb       not null,
  updated_at timestamptz not null default now(),
  updated_by text
);
