import type { paths } from '../../api/schema.generated.ts'

type ProviderList = paths['/api/v1/providers']['get']['responses'][200]['content']['application/json']
export type Provider = ProviderList['data'][number]
type PriceList = paths['/api/v1/prices']['get']['responses'][200]['content']['application/json']
export type SetPrice = PriceList['data'][number]
/** Those whose prices can be set. */
export type PricedProvider =
  paths['/api/v1/prices/{provider}/{model}']['put']['parameters']['path']['provider']
