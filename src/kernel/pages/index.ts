export { brand } from './brand.ts'
export { html, type Markup } from './html.ts'
export { renderPage } from './page.ts'
