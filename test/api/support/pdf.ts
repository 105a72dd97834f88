/** Reads the texts of a PDF back, page by page: enough for documents of this project, whose fonts are embedded with their Unicode maps. */
import { inflateSync } from 'node:zlib'

interface Part { readonly head: string; readonly body: Buffer | null }

/** Objects by number. */
const objectsOf = (bytes: Buffer): Map<number, Part> => {
  const text = bytes.toString('latin1')
  const objects = new Map<number, Part>()
  for (const match of text.matchAll(/^(\d+) 0 obj\n/gm)) {
    const from = match.index + match[0].length
    const [end, stream] = [text.indexOf('endobj', from), text.indexOf('stream\n', from)]
    if (stream < 0 || stream > end) { objects.set(Number(match[1]), { head: text.slice(from, end), body: null }); continue }
    const head = text.slice(from, stream)
    const raw = bytes.subarray(stream + 7, stream + 7 + Number(/\/Length (\d+)/.exec(head)?.[1]))
    objects.set(Number(match[1]), { head, body: head.includes('FlateDecode') ? inflateSync(raw) : raw })
  }
  return objects
}

const unicode = (hex: string): string => Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le')
/** Texts of glyphs, as the font's map has them. */
const glyphsOf = (map: string): string[] => [...map.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g)].flatMap(([, ranges = '']) => [...ranges.matchAll(/\[([^\]]*)\]/g)].flatMap(([, list = '']) => [...list.matchAll(/<([0-9a-f ]*)>/gi)].map(([, hex = '']) => unicode(hex))))

/** The text of every page, and the file that is attached. */
export const readPdf = (file: Uint8Array): { readonly pages: string[]; readonly attached: string | null; readonly count: number } => {
  const objects = objectsOf(Buffer.from(file))
  const at = (text: string, name: string): number => Number(new RegExp(`/${name} (\\d+) 0 R`).exec(text)?.[1])
  const fonts = new Map<string, string[]>()
  for (const { head } of objects.values()) for (const [, name = '', font = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
    const map = objects.get(at(objects.get(Number(font))?.head ?? '', 'ToUnicode'))?.body?.toString('latin1')
    if (map !== undefined) fonts.set(name, glyphsOf(map))
  }
  const pages = [...objects.values()].filter(({ head }) => /\/Type \/Page\b(?!s)/.test(head)).map(({ head }) => {
    const content = objects.get(at(head, 'Contents'))?.body?.toString('latin1') ?? ''
    let font: string[] = []
    return [...content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)].map(([, name, shown]) => {
      if (name !== undefined) { font = fonts.get(name) ?? []; return '' }
      return `${[...(shown ?? '').matchAll(/<([0-9a-f]+)>/gi)].map(([, hex = '']) => (hex.match(/.{4}/g) ?? []).map((glyph) => font[parseInt(glyph, 16)] ?? '').join('')).join('')}\n`
    }).join('')
  })
  const attached = [...objects.values()].find(({ head }) => head.includes('/EmbeddedFile'))?.body?.toString() ?? null
  return { pages, attached, count: pages.length }
}
