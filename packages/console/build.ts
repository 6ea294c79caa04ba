// Writes dist/: index.html, one script, one style sheet and the font, named by their hashes, the first three also compressed.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const HERE = import.meta.dirname
const DIST = `${HERE}/dist`
const STYLES = `${HERE}/src/styles`
/** What nearly every page needs of the font. */
const LATIN = 'inter-latin-wght'
/** It goes wherever the font goes. */
const FONT_LICENSE = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE'))

export async function buildConsole() {
  const { outputFiles } = await build({
    entryPoints: { console: `${HERE}/src/main.tsx`, style: `${STYLES}/index.css`, font: `${STYLES}/font.css` },
    outdir: DIST,
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome123', 'firefox135', 'safari18.4'],
    // The classic transform is half a kilobyte smaller than the automatic one, which types are checked with.
    tsconfigRaw: {
      compilerOptions: { jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment', target: 'esnext' },
    },
    inject: [`${HERE}/src/jsx.ts`],
    alias: { '@petstore/client': `${HERE}/../client/src/in-page.ts` },
    legalComments: 'none',
    charset: 'utf8',
    loader: { '.woff2': 'file' },
    assetNames: 'assets/[name]-[hash]',
    publicPath: '/console',
  })
  rmSync(DIST, { recursive: true, force: true })
  mkdirSync(`${DIST}/assets`, { recursive: true })
  let html = readFileSync(`${HERE}/src/index.html`, 'utf8')
  const sizes: Record<string, number> = {}
  for (const { path, contents } of outputFiles) {
    const [name = '', stem = '', extension = ''] = /([^/]+)\.(js|css|woff2)$/.exec(path) ?? []
    if (extension === 'woff2') {
      // Compressed already. esbuild has named it by its hash.
      writeFileSync(`${DIST}/assets/${name}`, contents)
      if (!stem.startsWith(LATIN)) continue
      sizes['font'] = contents.length
      html = html.replace('{font}', `assets/${name}`)
    } else if (stem === 'font') {
      // For the documentation, which has a style sheet of its own.
      put(name, contents)
    } else {
      const hash = createHash('sha256').update(contents).digest('base64url').slice(0, 12)
      const hashed = `assets/${stem}-${hash}.${extension}`
      sizes[extension] = put(hashed, contents)
      html = html.replace(`{${extension}}`, hashed)
    }
  }
  sizes['html'] = put('index.html', Buffer.from(html))
  copyFileSync(FONT_LICENSE, `${DIST}/inter-license.txt`)
  return sizes
}

/** Returns the size with gzip. */
function put(name: string, contents: Uint8Array) {
  const gzip = gzipSync(contents, { level: 9 })
  writeFileSync(`${DIST}/${name}`, contents)
  writeFileSync(`${DIST}/${name}.gz`, gzip)
  writeFileSync(
    `${DIST}/${name}.br`,
    brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  )
  return gzip.length
}

if (import.meta.main) {
  const sizes = await buildConsole()
  const listed = Object.entries(sizes).map(([kind, bytes]) => `${kind} ${(bytes / 1_000).toFixed(1)} kB`)
  console.log(`packages/console/dist, as they are sent: ${listed.join(', ')}`)
}
