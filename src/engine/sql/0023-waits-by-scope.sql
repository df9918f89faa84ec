-- The waits of steps inside containers.
create index engine_waits_by_scope on engine_waits (execution_id, item, engine_scope_of(step_id)) where position('/' in step_id) > 0;
