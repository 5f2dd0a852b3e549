import { describe, expect, test } from '@jest/globals';
import { scanXml } from './scan-xml.ts';

function scan(text: string, maxDepth = 32) {
  const events: string[] = [];
  const reason = scanXml(text, maxDepth, {
    open: (name) => events.push(`<${name}>`),
    close: () => events.push('</>'),
    text: (part) => events.push(part),
    comment: () => events.push('comment'),
  });
  return { stop: reason?.code, params: reason?.params, told: events.join(' ') };
}

describe('scanXml', () => {
  test('reports elements, text and comments in the order of the document', () => {
    const { stop, told } = scan('<a b="&lt;"><!-- x -->1&amp;2<c/><![CDATA[<&]]></a>');
    expect(stop).toBeUndefined();
    expect(told).toBe('<a> comment 1&2 <c> </> <& </>');
  });

  test('replaces the predefined entities and character references', () => {
    expect(scan('<a>&lt;&gt;&amp;&apos;&quot;&#65;&#x42;&#x1F600;</a>').told).toContain(`<>&'"AB😀`);
  });

  test.each([
    '<?xml version="1.0"?><a/>',
    "<?xml version = '1.0' encoding='utf-8' standalone='yes' ?><a/>",
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- x -->\n<a/>\n<!-- y -->\n',
    '\ufeff<?xml version="1.0" encoding="Utf-8"?><a/>',
    '\ufeff<a/>',
    '\r\n<a\n/>\r',
    '<a xmlns="urn:x" p:q="1"><p:b/></a>',
    '<é-1.·/>',
    '<a>]] > ]]&gt;</a>',
    '<a>\u0085\u2028\u{10FFFF}\uFFFD</a>',
    '<a b=">" c=\'"\'/>',
    '<a><![CDATA[]]]]><![CDATA[>]]></a>',
    '<a><!-- - - <b> & --></a>',
  ])('%j is accepted', (text) => {
    expect(scan(text).stop).toBeUndefined();
  });

  test.each([
    '<!DOCTYPE a><a/>',
    '<!DOCTYPE a SYSTEM "http://example.com/x.dtd"><a/>',
    '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
    '<?xml-stylesheet href="x"?><a/>',
    '<a><?php echo 1 ?></a>',
    '<a/><?x?>',
  ])('%s is refused for its content', (text) => {
    expect(scan(text).stop).toBe('xml_construct_refused');
  });

  test.each([
    '<?xml version="1.0" encoding="ISO-8859-1"?><a/>',
    '<?xml version="1.0" encoding="UTF-16"?><a/>',
    '<?xml version="1.0" encoding="utf8"?><a/>',
    '<?xml version="1.1"?><a/>',
    '<?xml version="1.1" encoding="UTF-8"?><a>\u0085</a>',
    '<?xml version="1.2"?><a/>',
  ])('%s is refused for its declaration', (text) => {
    expect(scan(text).stop).toBe('xml_encoding');
  });

  test.each([
    ...[
      '',
      ' ',
      '<',
      '<a',
      '<a>',
      '<a></b>',
      '<a><b></a></b>',
      '</a>',
      '<a/><a/>',
      '<a/>x',
      'x<a/>',
      '<a/>&amp;',
    ],
    ...['<a/></a>', '<a/><![CDATA[]]>', '<![CDATA[]]><a/>', '<1a/>', '< a/>', '<a/ >', '<a></ a>', '<a></>'],
    ...[
      '<a b/>',
      '<a b=1/>',
      '<a b="1" b="2"/>',
      '<a b="" b=""/>',
      '<a b="<"/>',
      '<a b="1"c="2"/>',
      '<a b="&x;"/>',
    ],
    ...[
      '<a b="&"/>',
      '<a __proto__="" __proto__=""/>',
      '<a =""/>',
      '<a b="1/>',
      '<a><b/>',
      '<a>&</a>',
      '<a>& </a>',
    ],
    ...[
      '<a>&x;</a>',
      '<a>&amp</a>',
      '<a>&;</a>',
      '<a>&AMP;</a>',
      '<a>&__proto__;</a>',
      '<a>&#0;</a>',
      '<a>&#;</a>',
    ],
    ...[
      '<a>&#x;</a>',
      '<a>&#X41;</a>',
      '<a>&#xD800;</a>',
      '<a>&#x110000;</a>',
      '<a>&#xFFFE;</a>',
      '<a>&#1;</a>',
    ],
    ...[
      '<a>]]></a>',
      '<a>\u0000</a>',
      '<a>\u0001</a>',
      '<a b="\u0008"/>',
      '<a>\uFFFE</a>',
      '<a><!--\u0000--></a>',
    ],
    ...[
      '<a><!-- -- --></a>',
      '<a><!----->',
      '<a><!-- x</a>',
      '<a><![CDATA[x</a>',
      '<a><![cdata[x]]></a>',
      '<a><!b></a>',
    ],
    ...['<a><!ELEMENT b></a>', '<a>\ud800</a>', '\ufeff\ufeff<a/>', '\u00a0<a/>', '<a/>\u0000', '<a\u0000/>'],
    ...[' <?xml version="1.0"?><a/>', 'x<?xml version="1.0"?><a/>', '<!-- --><?xml version="1.0"?><a/>'],
    ...['<?xml?><a/>', '<?xml encoding="UTF-8"?><a/>', '<?xml version=1.0?><a/>', '<?xml version="1.0"'],
    ...[
      '<?xml version="1.0" encoding="UTF-8"><a/>',
      '<?xml version="1.0"encoding="UTF-8"?><a/>',
      '<a><?xml version="1.0"?></a>',
    ],
    ...[
      '<?xml version="1.0" standalone="yes" encoding="UTF-8"?><a/>',
      '<?xml version="1.0" standalone="maybe"?><a/>',
    ],
    ...[
      '<?xml version="1.0" version="1.0"?><a/>',
      '<?xml version="1.0" encoding=""?><a/>',
      '<?xml version="2.0"?><a/>',
    ],
    ...[
      '<?xml version="1.0"?><?xml version="1.0"?><a/>',
      '<?XML version="1.0"?><a/>',
      '<?xml version="1.0" x="y"?><a/>',
    ],
    ...['<!DOCTYPE a', '<a><!DOCTYPE b></a>', '<?x', '<??><a/>', '{"jobs":{}}'],
  ])('%j is not well-formed', (text) => {
    expect(scan(text).stop).toBe('xml_syntax');
  });

  test('says where the document is not well-formed', () => {
    expect(scan('<a>&x;</a>').params).toEqual({ line: 1, column: 6 });
    expect(scan('<a>\n  <b>\r\n  </c>\n</a>').params).toEqual({ line: 3, column: 6 });
    expect(scan('<a>\n').params).toEqual({ line: 2, column: 0 });
  });

  test('stops at the first fault, and reports nothing after it', () => {
    expect(scan('<a>1<b></c>2<d/></a>').told).toBe('<a> 1 <b> </>');
  });

  test('reads up to the maximum depth and no deeper', () => {
    expect(scan('<a><b><c/></b></a>', 3).stop).toBeUndefined();
    expect(scan('<a><b><c><d/></c></b></a>', 3)).toMatchObject({
      stop: 'body_too_deep',
      params: { limit: 3 },
    });
    expect(scan('<a>'.repeat(1_000_000)).stop).toBe('body_too_deep');
  });

  test('an error of the visitor is thrown, not reported as a fault of the document', () => {
    const broken = () => {
      throw new TypeError('a defect');
    };
    expect(() => scanXml('<a/>', 32, { open: broken, close: broken, text: broken, comment: broken })).toThrow(
      'a defect',
    );
  });

  test.each([
    ['attributes', `<a ${Array.from({ length: 300_000 }, (_, index) => `b${String(index)}=""`).join(' ')}/>`],
    ['references', `<a>${'&amp;'.repeat(800_000)}</a>`],
    ['CDATA sections', `<a>${'<![CDATA[]]>'.repeat(300_000)}</a>`],
    ['brackets', `<a><![CDATA[${']'.repeat(4_000_000)}]]></a>`],
    ['an unfinished entity', `<a>&${'a'.repeat(4_000_000)}`],
    ['comments', `<a>${'<!-- - -->'.repeat(400_000)}</a>`],
  ])('reads 4 MB of %s in linear time', (_, text) => {
    scanXml(text, 32, { open: () => 0, close: () => 0, text: () => 0, comment: () => 0 });
  });
});
