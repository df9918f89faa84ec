export { brand } from './brand.ts'
export { html, type Markup } from './html.ts'
export { type PageOptions, renderPage } from './page.ts'
