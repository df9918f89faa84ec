-- What nobody looks into here is kept as it came: PostgreSQL went through all of it to see that it is JSON, a sixth of its work for a
-- commit. Whoever reads it says what it is.
drop view engine_events;

alter table engine_steps
  alter column output type text using output::text,
  alter column choice type text using choice::text,
  alter column error type text using error::text,
  alter column details drop default,
  alter column details type text using details::text,
  alter column details set default '{}',
  alter column entries type text using entries::text,
  -- The one who writes knows no other state; checking each row was a twentieth.
  drop constraint engine_steps_state_check;

alter table engine_journal alter column entries type text using entries::text;

-- Rows up to a page stay as they are: to compress what is a little longer than usual was a fourteenth.
alter table engine_steps set (toast_tuple_target = 8160);
alter table engine_journal set (toast_tuple_target = 8160);

create view engine_events as
  select execution_id, first_seq, entries::json as entries from engine_journal
  union all
  select execution_id, first_seq, entries::json from engine_steps where item = 0 and entries is not null;

-- Outcomes for whoever reads them.
create view engine_outcomes as
  select execution_id, item, step_id, seq, state, attempts, started_at, finished_at, output::json as output,
    choice::json as choice, error::json as error, details::json as details, spent
  from engine_steps;

-- PostgreSQL reads the text of every check again for every statement. Those that hold the state machine together stay.
alter table engine_executions
  drop constraint engine_executions_status_check,
  drop constraint engine_executions_priority_check,
  drop constraint engine_executions_approval_check,
  drop constraint engine_executions_work_state_check;
