-- What processes and machines went through, added up: by minute, hour and day (`grain`), in UTC. Every process adds to the same rows.
-- Room is left on the pages, and nothing that grows is indexed, so that counting rewrites no index.
create table kernel_vitals (
  grain text             not null check (grain in ('minute', 'hour', 'day')),
  at    timestamptz      not null,
  -- What was measured: `requests`, `cpu_percent`, `running_executions` …
  name  text             not null,
  -- How often, the sum of all values, and the largest of them.
  count bigint           not null,
  sum   double precision not null,
  max   double precision not null,
  -- For durations: how many lay between the bounds that stand in the code; null for everything else.
  took  integer[],
  primary key (grain, at, name)
) with (fillfactor = 70);

create function kernel_vitals_add(known integer[], more integer[]) returns integer[]
language sql immutable parallel safe
return case
  when known is null then more
  when more is null then known
  else array(select coalesce(pair.one, 0) + coalesce(pair.other, 0) from unnest(known, more) as pair (one, other))
end;

-- The processes that run, with what each saw last. Unlogged: what is lost is there again a few seconds later.
create unlogged table kernel_vitals_processes (
  id         uuid        primary key,
  host       text        not null,
  pid        integer     not null,
  started_at timestamptz not null,
  seen_at    timestamptz not null,
  sample     jsonb       not null
) with (fillfactor = 50);
