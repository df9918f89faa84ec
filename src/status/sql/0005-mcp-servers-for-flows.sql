-- Whether flows may call the tools of a server. False for servers that were only watched: an update must not make them callable.
alter table status_mcp_servers add column allow_flows boolean not null default false;
