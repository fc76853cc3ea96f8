//! The arguments of a launch of CUDA: by a list of pointers, one for each, or packed into one
//! buffer, which `extra` describes.

use std::ffi::c_void;

/// The bytes of each argument, where they are known.
pub type Arguments = Vec<Option<Vec<u8>>>;

/// `CU_LAUNCH_PARAM_END`, `_BUFFER_POINTER` and `_BUFFER_SIZE`.
const END: usize = 0;
const BUFFER: usize = 1;
const BUFFER_SIZE: usize = 2;
/// The most pairs that are looked at in `extra`: there are two kinds.
const MOST_PAIRS: usize = 4;

/// A parameter: where it lies among all of them, and its bytes, where these are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    pub offset: Option<usize>,
    pub size: Option<usize>,
}

/// Parameters of which the sizes are known. Those are numbers and pointers, which are aligned to
/// their size; behind a struct, whose size is not known, no place is known.
pub fn parameters_by_size(sizes: &[Option<usize>]) -> Vec<Parameter> {
    let mut end = Some(0usize);
    let mut place = |size: Option<usize>| {
        let aligned = size.filter(|size| size.is_power_of_two());
        let offset = end.zip(aligned).map(|(end, size)| end.next_multiple_of(size));
        end = offset.zip(size).map(|(offset, size)| offset + size);
        Parameter { offset, size }
    };
    sizes.iter().map(|&size| place(size)).collect()
}

/// The arguments that a list points to.
///
/// # Safety
/// There are as many pointers as parameters, each to as many bytes or null.
pub unsafe fn listed(parameters: &[Parameter], args: *const *const u8) -> Arguments {
    let value = |(at, parameter): (usize, &Parameter)| {
        // SAFETY: the caller's promise.
        unsafe {
            let from = *args.add(at);
            let size = parameter.size.filter(|_| !from.is_null())?;
            Some(std::slice::from_raw_parts(from, size).to_vec())
        }
    };
    parameters.iter().enumerate().map(value).collect()
}

/// The arguments in the buffer that `extra` names; `None` if it names none.
///
/// # Safety
/// `extra` is a list of pairs up to `CU_LAUNCH_PARAM_END`, and names a buffer of the size that
/// it says.
pub unsafe fn packed(parameters: &[Parameter], extra: *const *const c_void) -> Option<Arguments> {
    let (mut buffer, mut size) = (None, None);
    for pair in 0..MOST_PAIRS {
        // SAFETY: the list goes on up to its end.
        unsafe {
            match *extra.add(2 * pair) as usize {
                END => break,
                BUFFER => buffer = Some(*extra.add(2 * pair + 1)).filter(|at| !at.is_null()),
                BUFFER_SIZE => {
                    let at = (*extra.add(2 * pair + 1)).cast::<usize>();
                    size = (!at.is_null()).then(|| at.read_unaligned());
                }
                _ => return None,
            }
        }
    }
    // SAFETY: the buffer has as many bytes.
    let bytes = unsafe { std::slice::from_raw_parts(buffer?.cast::<u8>(), size?) };
    let value = |parameter: &Parameter| {
        let (offset, size) = (parameter.offset?, parameter.size?);
        Some(bytes.get(offset..offset.checked_add(size)?)?.to_vec())
    };
    Some(parameters.iter().map(value).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_aligned_to_their_size() {
        let offsets = |sizes: &[Option<usize>]| -> Vec<Option<usize>> {
            parameters_by_size(sizes).iter().map(|one| one.offset).collect()
        };
        assert_eq!(offsets(&[Some(4), Some(8), Some(1), Some(2)]), [0, 8, 16, 18].map(Some));
        // Nobody knows where a parameter behind a struct lies.
        assert_eq!(offsets(&[Some(8), None, Some(4)]), [Some(0), None, None]);
    }

    #[test]
    fn what_is_not_in_the_buffer_is_not_read() {
        let bytes = [1u8, 0, 0, 0, 2, 0, 0, 0];
        let size = bytes.len();
        let end = std::ptr::null::<c_void>();
        let pointer = |number: usize| number as *const c_void;
        let extra = [
            pointer(BUFFER_SIZE),
            (&raw const size).cast(),
            pointer(BUFFER),
            bytes.as_ptr().cast(),
            end,
        ];
        let parameters = parameters_by_size(&[Some(4), Some(4), Some(8)]);
        // SAFETY: the list is as CUDA says.
        let read = unsafe { packed(&parameters, extra.as_ptr()) };
        let expected = vec![Some(bytes[..4].to_vec()), Some(bytes[4..].to_vec()), None];
        assert_eq!(read, Some(expected));
        // SAFETY: an end alone is a list.
        assert_eq!(unsafe { packed(&parameters, &raw const end) }, None);
        let unknown = [pointer(77), end, end];
        // SAFETY: the first word ends it.
        assert_eq!(unsafe { packed(&parameters, unknown.as_ptr()) }, None);
    }
}
