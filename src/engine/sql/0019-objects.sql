-- expands: references to objects are stored only once TUTTI_OBJECTS_URL is set, which is for when all replicas know them
-- Outputs in the object store, and the executions whose outcomes refer to them: a fork refers to the objects of its source.
create table engine_objects (
  id uuid not null,
  execution_id uuid not null,
  -- when to check whether an outcome refers to it, and delete it if none does; null: one does
  check_at timestamptz,
  primary key (id, execution_id)
);

create index engine_objects_check on engine_objects (check_at) where check_at is not null;

-- Whether the text in place of an output is a reference, `object:<id>:<bytes>`, which no JSON begins with. The length is known without
-- reading a stored text.
create function engine_is_object(output text) returns boolean
language sql immutable parallel safe
return octet_length(output) < 60 and left(output, 7) = 'object:';

create function engine_output_bytes(output text) returns bigint
language sql immutable parallel safe
return case when engine_is_object(output) then split_part(output, ':', 3)::bigint else octet_length(output) end;

create or replace view engine_outcomes as
  select execution_id, item, step_id, seq, state, attempts, started_at, finished_at,
    case when engine_is_object(output) then null else output::json end as output,
    choice::json as choice, error::json as error, details::json as details, spent,
    case when engine_is_object(output) then output end as output_object
  from engine_steps;

-- Whatever removes an outcome or its output, the object is checked.
create function engine_check_object() returns trigger language plpgsql as $$
begin
  update engine_objects set check_at = now()
  where id = split_part(old.output, ':', 2)::uuid and execution_id = old.execution_id;
  return null;
end
$$;

create trigger engine_steps_object after delete or update of output on engine_steps
for each row when (engine_is_object(old.output)) execute function engine_check_object();
