/** The part of libheif that opening a picture takes. */
declare module 'libheif-js/wasm-bundle.js' {
  /** What a function answers that failed. */
  export interface HeifError {
    code: object;
    message: string;
  }
  export type Handle = object;
  export interface Channel {
    width: number;
    height: number;
    /** Bytes from one row to the next. */
    stride: number;
    data: Uint8Array;
  }
  const libheif: {
    heif_colorspace: { heif_colorspace_RGB: object };
    heif_chroma: { heif_chroma_interleaved_RGB: object; heif_chroma_interleaved_RGBA: object };
    heif_error_code: { heif_error_Ok: object };
    heif_context_alloc(): object;
    heif_context_free(context: object): void;
    heif_context_read_from_memory(context: object, bytes: Uint8Array): HeifError;
    heif_js_context_get_primary_image_handle(context: object): Handle | HeifError;
    heif_image_handle_has_alpha_channel(handle: Handle): number;
    heif_image_handle_release(handle: Handle): void;
    heif_js_decode_image2(
      handle: Handle,
      colorspace: object,
      chroma: object,
    ): Promise<{ image: object; channels: Channel[] } | HeifError>;
    heif_image_release(image: object): void;
  };
  export default libheif;
}
