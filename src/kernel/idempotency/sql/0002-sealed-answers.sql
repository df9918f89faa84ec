-- Answers may show a secret once, such as that of a callback. Whether body is sealed, so that only this installation reads it.
alter table kernel_idempotency add column sealed boolean not null default false;
