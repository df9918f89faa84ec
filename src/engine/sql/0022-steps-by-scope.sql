-- The place where a resume looks for a row inside containers: for a step its scope (each/7/), for the input of a container the scope around
-- it (each/$open is in the scope of the flow itself), and for the end of a scope its container (each/7/$end is in each/). Its cost keeps the
-- planner from evaluating it for all rows of an execution, which it believes to be few, instead of using an index.
create function engine_scope_of(step_id text) returns text
language plpgsql immutable strict parallel safe cost 10000 as $$
begin
  return regexp_replace(step_id, '([^/]+/\$open|[0-9]+/\$end|[^/]+)$', '');
end
$$;

create index engine_steps_by_scope on engine_steps (execution_id, item, engine_scope_of(step_id)) where position('/' in step_id) > 0;
