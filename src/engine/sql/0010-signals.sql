-- Holds the number of the migration that adds signals.
select 1;
