const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** Whether a Content-Type is one of these, in UTF-8 if it says so; its other parameters do not matter. */
export function isOfType(value: string, types: string[]) {
  const [type = '', ...parameters] = split(value)
  if (!types.includes(type.trim().toLowerCase())) return false
  return parameters.every((parameter) => {
    const [name = '', ...rest] = parameter.trim().split('=')
    const text = rest.join('=')
    if (name === '' && rest.length === 0) return true
    if (!TOKEN.test(name)) return false
    const quoted = /^"(?<content>(?:[^"\\]|\\.)*)"$/.exec(text)?.groups?.['content']
    if (quoted === undefined && !TOKEN.test(text)) return false
    return name.toLowerCase() !== 'charset' || (quoted ?? text).toLowerCase() === 'utf-8'
  })
}

/** At its semicolons, but for those inside quotes. */
function split(value: string) {
  return value.match(/(?:"(?:[^"\\]|\\.)*"|[^;])+|(?<=;)(?=;|$)/g) ?? []
}
