/** What crawlers ask for: which paths are for reading, and where they are. */
import type { Document } from './document.js'

export const robots: Document = {
  name: 'robots', path: '/robots.txt', type: 'text/plain; charset=utf-8', cacheSeconds: 86_400, summary: 'Which paths crawlers may read.',
  text: ({ documents, baseUrl }) => [
    'User-agent: *', ...documents.map(({ path }) => `Allow: ${path}`), 'Allow: /mcp/tools.json', 'Allow: /mcp/fixtures.json',
    'Disallow: /v1/', 'Disallow: /mcp', 'Disallow: /admin/', 'Disallow: /oauth/', 'Disallow: /metrics', '', `Sitemap: ${baseUrl}/sitemap.xml`, '',
  ].join('\n'),
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const sitemap: Document = {
  name: 'sitemap', path: '/sitemap.xml', type: 'application/xml; charset=utf-8', cacheSeconds: 86_400, summary: 'The documents there are to read.',
  text: ({ documents, operations, baseUrl }) => {
    const listed = [...documents.filter(({ part, path }) => part !== true && path !== '/robots.txt' && path !== '/sitemap.xml').map(({ path }) => path as string),
      ...operations.filter(({ route }) => route.startsWith('GET /mcp/')).map(({ route }) => route.slice(4))]
    return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${listed.map((path) => `  <url><loc>${escape(baseUrl + path)}</loc></url>`).join('\n')}\n</urlset>\n`
  },
}
