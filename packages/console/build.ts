// Writes dist/: index.html, the script of the page and two that are loaded after it, a style sheet and the font, named by their hashes, all
// but the font also compressed.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'

const HERE = import.meta.dirname
const DIST = `${HERE}/dist`
const STYLES = `${HERE}/src/styles`
/** What nearly every page needs of the font. */
const LATIN = 'inter-latin-wght'
/** It goes wherever the font goes. */
const FONT_LICENSE = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE'))
/**
 * What the page and its later scripts share would be one more script, and the page a line that imports it. So the later scripts share all
 * of the page, and that line is not needed.
 */
const SHARED = 'chunk'
const shareAll: Plugin = {
  name: 'share all',
  setup: (on) =>
    on.onLoad({ filter: /\/src\/(later|manage)\.tsx$/ }, ({ path }) => ({
      contents: `import './main.tsx'\n${readFileSync(path, 'utf8')}`,
      loader: 'tsx',
    })),
}

export async function buildConsole() {
  const { outputFiles } = await build({
    entryPoints: { console: `${HERE}/src/main.tsx`, style: `${STYLES}/index.css`, font: `${STYLES}/font.css` },
    outdir: DIST,
    write: false,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    plugins: [shareAll],
    chunkNames: 'assets/[name]-[hash]',
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
  for (const { path, contents, text } of outputFiles) {
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
    } else if (extension === 'js') {
      if (!path.includes('/assets/')) continue
      const file = scriptName(`assets/${name}`)
      const [kind, size] = [
        stem.startsWith(SHARED) ? 'js' : stem.replace(/-\w+$/, ''),
        put(file, Buffer.from(scriptName(text))),
      ]
      if (sizes[kind] !== undefined)
        throw new Error('later.tsx and manage.tsx share what main.tsx does not import: import it there')
      sizes[kind] = size
      html = html.replace(`{${kind}}`, file)
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

/** The script of the page by its name, in a path or in what imports it. */
const scriptName = (text: string) => text.replace(`assets/${SHARED}-`, 'assets/console-')

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
