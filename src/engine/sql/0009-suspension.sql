-- Holds the number of the migration that adds suspended executions.
select 1;
