-- What the handlers of a worker can do, by name: while replicas are updated one after the other, an older worker cannot do everything. Null:
-- a worker of a release before this column.
alter table kernel_workers add column features text[];
