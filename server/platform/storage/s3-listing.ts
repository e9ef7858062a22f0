import { Parser } from 'htmlparser2';

export interface Listing {
  objects: { key: string; size: number; modifiedAt: Date }[];
  /** The token of the next page; undefined on the last one. */
  next: string | undefined;
}

/** Parses one page of ListObjectsV2. Throws if it is incomplete or something else. */
export function readListing(xml: string): Listing {
  const listing: Listing = { objects: [], next: undefined };
  const open: string[] = [];
  let text = '';
  let entry: Record<string, string> = {};
  let isWhole = false;
  const parser = new Parser(
    {
      onopentag(name) {
        open.push(name);
        text = '';
        if (name === 'Contents') entry = {};
      },
      ontext(more) {
        text += more;
      },
      onclosetag(name, isImplied) {
        open.pop();
        if (open.at(-1) === 'Contents') entry[name] = text;
        if (name === 'Contents') listing.objects.push(objectOf(entry));
        if (name === 'NextContinuationToken') listing.next = text;
        if (name === 'ListBucketResult') isWhole = !isImplied;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  if (!isWhole) throw new Error('the list of objects is incomplete');
  return listing;
}

function objectOf({ Key: key, Size: size, LastModified: at }: Record<string, string>) {
  const object = { key: key ?? '', size: Number(size), modifiedAt: new Date(at ?? '') };
  if (!key || !Number.isSafeInteger(object.size) || Number.isNaN(object.modifiedAt.getTime()))
    throw new Error('an entry of the list of objects cannot be read');
  return object;
}
