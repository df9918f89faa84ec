-- The version of the program that a process runs; null for processes of releases before this column.
alter table kernel_vitals_processes add column version text;
