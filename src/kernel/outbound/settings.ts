import { defineSettings, refineSetting, setting } from '#kernel/config'
import { parseAllowList } from './allow-list.ts'

/** Environment variables of outbound requests. */
export const outboundSettings = defineSettings({
  allow: refineSetting(
    setting.list('TUTTI_OUTBOUND_ALLOW', {
      about:
        'Private hosts, addresses and networks that outbound requests may call, each with or without :port',
      default: [],
    }),
    (entries) => {
      parseAllowList(entries)
      return entries
    },
  ),
})
