-- Spend by scope and period: an account on a day; an API key on a day, in a month and in total. Replaces model_spend_days.
create table model_spend_scopes (
  -- `account:` or `key:` with the id.
  scope    text collate "C" not null,
  -- In UTC: a day such as `2026-11-16`, a month such as `2026-11`, or `total`.
  period   text collate "C" not null,
  spent    bigint           not null check (spent >= 0),
  -- Reserved for running calls.
  reserved bigint           not null check (reserved >= 0),
  primary key (scope, period)
) with (fillfactor = 50);

insert into model_spend_scopes (scope, period, spent, reserved)
select 'account:' || account_id, to_char(day, 'YYYY-MM-DD'), spent, reserved from model_spend_days;

drop table model_spend_days;

-- `reserved_at` determines the periods that a reservation belongs to, whenever its call ends.
alter table model_reservations
  drop column day,
  -- The API key whose budgets the reservation counts for, besides that of the account.
  add column key_id text,
  add column tags   text[] not null default '{}';

create function model_spend_period(kind text, at timestamptz) returns text language sql stable as $$
  select case kind
    when 'day' then to_char(at at time zone 'utc', 'YYYY-MM-DD')
    when 'month' then to_char(at at time zone 'utc', 'YYYY-MM')
    else 'total'
  end
$$;

-- The scopes and periods that money spent at this time counts for.
create function model_scopes_of(account_id text, key_id text, at timestamptz)
returns table (scope text, period text) language sql stable as $$
  select 'account:' || account_id, model_spend_period('day', at)
  union all
  select 'key:' || key_id, model_spend_period(kind, at)
  from unnest(array['day', 'month', 'total']) as kind
  where key_id is not null
$$;

-- Reserves money for several calls in one commit. A call is admitted when it fits in all its scopes, in the order of the requests, so
-- that no scope exceeds a limit. Returns a row for each call that is not admitted, with the first scope in its way.
--
-- `scopes` and `kinds` are the distinct scopes of all requests. A request names its own by their positions (`places`), with a limit for
-- each, or null. A request that `may_wait` and does not fit only because of reservations keeps later requests out of that scope, unless
-- they may not wait: otherwise a stream of small calls would keep a large one waiting for ever.
create function model_reserve(
  scopes text[], kinds text[], requests json, at timestamptz, expires_at timestamptz
) returns table (request integer, place integer, spent bigint, reserved bigint) language plpgsql as $$
#variable_conflict use_column
declare
  periods      text[];
  spent_now    bigint[];
  reserved_now bigint[];
  waited_for   boolean[] := array_fill(false, array[cardinality(scopes)]);
  admitted     integer[] := '{}';
  wanted       record;
  found_place  integer;
  is_hopeless  boolean;
begin
  select array_agg(model_spend_period(kind, at) order by number) into periods
  from unnest(kinds) with ordinality as given (kind, number);

  insert into model_spend_scopes (scope, period, spent, reserved)
  select scope, period, 0, 0 from unnest(scopes, periods) as given (scope, period)
  order by scope collate "C", period collate "C"
  on conflict do nothing;

  -- Rows are locked in one order, here and when reservations are settled, to avoid deadlocks between replicas.
  select array_agg(locked.spent order by number), array_agg(locked.reserved order by number)
  into spent_now, reserved_now
  from (
    select number, known.spent, known.reserved
    from unnest(scopes, periods) with ordinality as given (scope, period, number)
    join model_spend_scopes as known
      on known.scope = given.scope collate "C" and known.period = given.period collate "C"
    order by known.scope, known.period
    for update of known
  ) as locked;

  for wanted in
    select number::integer, micro_dollars, places, limits, may_wait
    from rows from (json_to_recordset(requests) as (
      micro_dollars bigint, places integer[], limits bigint[], may_wait boolean
    )) with ordinality as given (micro_dollars, places, limits, may_wait, number)
  loop
    found_place := null;
    is_hopeless := false;
    for i in 1 .. cardinality(wanted.places) loop
      place := wanted.places[i];
      if spent_now[place] + wanted.micro_dollars > wanted.limits[i] then
        if not is_hopeless then found_place := place; end if;
        is_hopeless := true;
      elsif found_place is null and (
        spent_now[place] + reserved_now[place] + wanted.micro_dollars > wanted.limits[i]
        or (wanted.may_wait and waited_for[place])
      ) then
        found_place := place;
      end if;
    end loop;

    if found_place is null then
      admitted := admitted || wanted.number;
      foreach place in array wanted.places loop
        reserved_now[place] := reserved_now[place] + wanted.micro_dollars;
      end loop;
    else
      waited_for[found_place] := waited_for[found_place] or (wanted.may_wait and not is_hopeless);
      request := wanted.number;
      place := found_place;
      spent := spent_now[found_place];
      reserved := reserved_now[found_place];
      return next;
    end if;
  end loop;

  if cardinality(admitted) = 0 then return; end if;

  update model_spend_scopes as known set reserved = given.reserved
  from unnest(scopes, periods, reserved_now) as given (scope, period, reserved)
  where known.scope = given.scope collate "C" and known.period = given.period collate "C"
    and known.reserved <> given.reserved;

  insert into model_reservations (
    id, account_id, key_id, micro_dollars, reserved_at, expires_at,
    call_id, source, provider, model, requested_model, price_source, price_version, attempts, tags
  )
  select id, account_id, key_id, micro_dollars, at, expires_at,
    call_id, source, provider, model, requested_model, price_source, price_version, attempts, tags
  from rows from (json_to_recordset(requests) as (
    id uuid, account_id text, key_id text, micro_dollars bigint, call_id uuid, source text, provider text, model text,
    requested_model text, price_source text, price_version text, attempts integer, tags text[]
  )) with ordinality as given (
    id, account_id, key_id, micro_dollars, call_id, source, provider, model,
    requested_model, price_source, price_version, attempts, tags, number
  )
  where number = any (admitted);
end
$$;

-- The rows of model_calls added up by API key and by tag, like model_usage_days. A call with several tags counts for each of them. The
-- tags of an account and a day beyond a maximum are added up as `(other)`.
create table model_usage_labels (
  account_id          text    not null,
  day                 date    not null,
  kind                text    not null check (kind in ('key', 'tag')),
  -- The id of the key, or the tag.
  label               text    not null,
  provider            text    not null,
  model               text    not null,
  source              text    not null,
  calls               bigint  not null,
  failures            bigint  not null,
  cancelled           bigint  not null,
  cache_hits          bigint  not null,
  unpriced_calls      bigint  not null,
  input_tokens        bigint  not null,
  cached_input_tokens bigint  not null,
  output_tokens       bigint  not null,
  micro_dollars       bigint  not null,
  latency_ms_sum      bigint  not null,
  first_token_ms_sum  bigint  not null,
  first_token_count   bigint  not null,
  primary key (account_id, day, kind, label, provider, model, source)
) with (fillfactor = 70);

create index model_usage_labels_by_day on model_usage_labels (day);
